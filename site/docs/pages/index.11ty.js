/** The first page: two commands, and the sections by reader. */
import { codeBlock, escapeHtml } from '../markdown.mjs';
import { addressOf } from '../navigation.mjs';

export const data = { title: 'Documentation', permalink: 'index.html' };

const INSTALL = 'npm install express-prediction-market express sequelize sqlite3 ethers\n';
const CHECKOUT =
  'npm ci && npm start      # http://localhost:3000, with play money\nnpm ci && npm test       # lint, types and every suite\n';

export function render({ navigation }) {
  const card = ({
    title,
    text,
    entries,
  }) => `<section class="card"><h2>${title}</h2><p>${escapeHtml(text)}</p>
<ul>${entries.map(([path, name]) => `<li><a href="${addressOf(path)}">${escapeHtml(name)}</a></li>`).join('')}</ul></section>`;
  return `<h1>A prediction market for your Express app</h1>
<p class="lead">Yes/no markets with an LMSR market maker, a double-entry USDC ledger in exact integers, API keys that wallets get by signing, resolution and payout, pages for the browser, and a live feed that loses nothing.</p>
<p class="actions"><a class="button" href="tutorial">Begin with the tutorial</a> <a class="button quiet" href="recipes">Recipes</a> <a class="button quiet" href="api">Try the API</a></p>
<div class="two">
<div><p>In your own app:</p>${codeBlock(INSTALL, 'sh')}</div>
<div><p>From a checkout of the repository:</p>${codeBlock(CHECKOUT, 'sh')}</div>
</div>
<img class="shot" src="pictures/market.png" width="1280" height="860" alt="A market in the browser: its price over a month, and the form that places an order">
<div class="cards">${navigation.map(card).join('\n')}</div>`;
}
