/** The first page: ways to begin, and the sections of the navigation. */
import { codeBlock, escapeHtml } from '../markdown.mjs';
import { addressOf } from '../navigation.mjs';

export const data = { title: 'Documentation', permalink: 'index.html' };

/** What a reader can do first with the package: a title, the page that says more, and the commands. */
const WAYS = [
  [
    'Add it to your own app',
    'tutorial',
    'npm install express-prediction-market express sequelize sqlite3 ethers\n',
  ],
  [
    'Let <code>init</code> write a small app with a test',
    'command-line#init',
    'npx express-prediction-market init my-market\ncd my-market && npm install && npm test && npm start\n',
  ],
  [
    'Run the standalone server',
    'deploy#install-and-start',
    'mkdir market && cd market && npm init -y\n' +
      'npm install express-prediction-market express helmet pino prom-client sequelize sqlite3\n' +
      'npx express-prediction-market serve   # http://localhost:3000, with play money\n',
  ],
];

const wayOf = ([title, page, commands]) =>
  `<div><p>${title} (<a href="${page}">more</a>):</p>${codeBlock(commands, 'sh')}</div>`;

export function render({ navigation }) {
  const card = ({
    title,
    text,
    entries,
  }) => `<section class="card"><h2>${title}</h2><p>${escapeHtml(text)}</p>
<ul>${entries.map(([path, name]) => `<li><a href="${addressOf(path)}">${escapeHtml(name)}</a></li>`).join('')}</ul></section>`;
  return `<h1>A prediction market for your Express app</h1>
<p class="lead">Yes/no markets with an LMSR market maker, a double-entry USDC ledger in exact integers, API keys that wallets get by signing, resolution and payout, pages for the browser, and a live feed that a client can resume after a cut.</p>
<p class="actions"><a class="button" href="tutorial">Begin with the tutorial</a> <a class="button quiet" href="recipes">Recipes</a> <a class="button quiet" href="api">Try the API</a></p>
<div class="ways">
${WAYS.map(wayOf).join('\n')}
<p>In a checkout of the repository: <code>npm ci &amp;&amp; npm start</code> (<a href="contributing">more</a>).</p>
</div>
<img class="shot" src="pictures/market.png" width="1280" height="860" alt="A market in the browser: its price over a month, and the form that places an order">
<div class="cards">${navigation.map(card).join('\n')}</div>`;
}
