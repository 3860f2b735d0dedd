/**
 * Lists texts that may stand only in the named files of `src` and `adapters`. Other files use a constant or a function.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const SPELLED: [what: string, pattern: RegExp, files: string[]][] = [
  ['the ids of wallet accounts', /['"`]wallet:/, ['src/domain/types.ts']],
  [
    'the ids of pools and the channels of markets',
    /['"`]market:/,
    [
      'src/domain/types.ts',
      'src/events/channel-keys.ts',
      // The client repeats these names, because the client imports nothing of the service.
      'src/client/live/live-messages.ts',
      'src/client/react/store.ts',
      // The AsyncAPI document shows these names as clients write them.
      'src/http/asyncapi/examples.ts',
      'src/http/asyncapi/texts.ts',
    ],
  ],
  // The compiler compares the client's intervals with the generated types.
  ['the intervals of candles', /['"`]15m['"`]/, ['src/client/candles.ts', 'src/domain/candles.ts']],
  ['the statuses of markets', /\['open', 'resolving'/, ['src/domain/types.ts']],
  ['the statuses of open withdrawals', /'pending', 'sent'/, ['src/domain/withdrawals.ts']],
  ['the bounds of orders', /\bminPayout\b/, ['src/client/markets.ts', 'src/domain/order-terms.ts']],
];

/** Leaves out migrations, which never change after a release, and generated files, which repeat the API documents. */
function sources(): string[] {
  return ['src', 'adapters'].flatMap((room) =>
    readdirSync(room, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !/migrations|[.]generated[.]ts$/.test(file))
      .map((file) => join(room, file)),
  );
}

function withoutComments(code: string): string {
  return code.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, '');
}

it.each(SPELLED)('%s are written out in the listed files only', (_what, pattern, files) => {
  const spelling = sources().filter((file) => pattern.test(withoutComments(readFileSync(file, 'utf8'))));
  expect(spelling).toEqual(files);
});
