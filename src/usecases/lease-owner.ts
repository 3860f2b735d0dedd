import type { Random } from '../ports/random';

let made = 0;

/**
 * A name for whoever holds a lease: unique among hosts by chance, among processes by their id, and inside a
 * process by counting (tests give several instances the same randomness).
 */
export function newLeaseOwner(random: Random): string {
  made += 1;
  return `${process.pid}-${made}-${Buffer.from(random.bytes(8)).toString('hex')}`;
}
