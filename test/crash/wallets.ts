/** The addresses are the same in every run, so a run continues with the wallets of the run before. */
const address = (digit: string): string => `0x${digit.repeat(40)}`;

export const CRASH_CREATOR = address('1');
export const CRASH_WALLETS = ['2', '3', '4', '5', '6', '7', '8', '9'].map(address);
