/** Jest reads TypeScript through swc. It needs no setting for the market itself. */
module.exports = { transform: { '\\.ts$': '@swc/jest' } };
