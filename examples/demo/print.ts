/** Prints the output of the demo. */

const useColour = process.stdout.isTTY === true && process.env.NO_COLOR === undefined;
const paint = (code: string, text: string): string => (useColour ? `\u001b[${code}m${text}\u001b[0m` : text);

export const bold = (text: string): string => paint('1', text);
export const dim = (text: string): string => paint('2', text);
const green = (text: string): string => paint('32', text);

let stepNumber = 0;

export function step(title: string): void {
  stepNumber += 1;
  console.log(`\n${bold(`${stepNumber}. ${title}`)}`);
}

export function say(text: string): void {
  console.log(`   ${text}`);
}

/** Shortens API keys, signatures and nonces, because terminals keep a history. */
function shortenSecrets(name: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const secret = name === 'apiKey' || name === 'signature' || name === 'nonce';
  return secret && value.length > 16 ? `${value.slice(0, 12)}…` : value;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value, shortenSecrets);
  return text.length > 600 ? `${text.slice(0, 600)}… (${text.length} characters)` : text;
}

export function exchange(
  request: { method: string; path: string; body?: unknown },
  status: number,
  answer: unknown,
): void {
  const body = request.body === undefined ? '' : ` ${shown(request.body)}`;
  console.log(`   ${dim('→')} ${request.method} ${request.path}${dim(body)}`);
  console.log(`   ${dim('←')} ${green(String(status))} ${dim(shown(answer))}`);
}

const BAR_WIDTH = 50;

/** One line of the price chart: the YES price as a bar from 0 to 1. */
export function priceLine(label: string, yesPrice: number): void {
  const filled = Math.round(yesPrice * BAR_WIDTH);
  const bar = '█'.repeat(filled) + '░'.repeat(BAR_WIDTH - filled);
  console.log(`   ${label.padEnd(30)} ${bar} ${(yesPrice * 100).toFixed(1)}% YES`);
}
