import { html } from '../html';
import type { Page, View } from '../layout';

export function playMoneyPage({ base }: Pick<View, 'base'>): Page {
  return {
    status: 200,
    title: 'Play money',
    body: html`
<div class="heading"><h1>Play money</h1></div>
<section class="panel" aria-labelledby="meaning-title">
  <h2 id="meaning-title">What this means</h2>
  <p>Balances, prices and winnings look like dollars, and they are worth nothing. No payment moves a coin, and a withdrawal sends none. Everything else works as it would with real money.</p>
  <p>So you can try everything: buy YES or NO, sell again, and see what a market pays when it is decided.</p>
</section>
<section class="panel" aria-labelledby="throw-away-title">
  <h2 id="throw-away-title">The throw-away wallet</h2>
  <p>A wallet is a secret that signs what you do. If you have none, this site makes one in your browser, and puts 500 USD of play money into it.</p>
  <ul>
    <li>The secret is stored in this browser and nowhere else. The server never sees it.</li>
    <li>If you clear the data of this browser, the wallet, its balance and its positions are gone.</li>
    <li>“Show the secret” in the wallet’s window lets you copy it. “Forget this wallet” removes it.</li>
    <li>Never send real money to it.</li>
  </ul>
  <p><button type="button" class="secondary" data-session-open>Open the wallet</button> <a href="${base}/">To the markets</a></p>
</section>`,
  };
}
