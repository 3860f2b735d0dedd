export interface ProtocolMessage {
  /** One letter. Empty for the first message of a client, which has no letter. */
  type: string;
  body: Buffer;
  whole: Buffer;
}

export type MessageSplitter = (part: Buffer) => ProtocolMessage[];

/** Each message of a server has one letter, four bytes with the length of all that follows the letter, and a body. */
export const serverMessages = (): MessageSplitter => splitter(1);

/** The first message of a client has no letter before its length. Later messages have one. */
export const clientMessages = (): MessageSplitter => splitter(0);

function splitter(lettersOfFirst: 0 | 1): MessageSplitter {
  let letters = lettersOfFirst;
  let rest: Buffer = Buffer.alloc(0);
  return (part) => {
    rest = Buffer.concat([rest, part]);
    const messages: ProtocolMessage[] = [];
    while (rest.length >= letters + 4) {
      const end = letters + rest.readUInt32BE(letters);
      if (rest.length < end) break;
      const whole = rest.subarray(0, end);
      messages.push({ type: whole.toString('latin1', 0, letters), body: whole.subarray(letters + 4), whole });
      rest = rest.subarray(end);
      letters = 1;
    }
    return messages;
  };
}

export function textIn(body: Buffer, number = 0): string {
  let start = 0;
  for (let skipped = 0; skipped < number; skipped += 1) start = body.indexOf(0, start) + 1;
  return body.toString('utf8', start, body.indexOf(0, start));
}
