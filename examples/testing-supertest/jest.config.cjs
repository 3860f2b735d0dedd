/** Jest reads TypeScript through swc, and finds app.ts for `./app.js`. It needs no setting for the market itself. */
module.exports = {
  transform: { '\\.ts$': '@swc/jest' },
  moduleNameMapper: { '^(\\./app)\\.js$': '$1' },
};
