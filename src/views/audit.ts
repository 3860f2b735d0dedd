/** The findings of an audit. USD are floats. `stored` and `computed` are integers as texts. */
export interface AuditView {
  /** Whether all books agree: there is no difference. */
  ok: boolean;
  checked: {
    /** How many wallets were checked. */
    wallets: number;
    /** How many markets were checked. */
    markets: number;
    /** How many positions were checked. */
    positions: number;
    /** How many entries of the ledger were checked. */
    entries: number;
  };
  /** What operators put in, and what the house has won or lost so far, USD. */
  treasury: number;
  /** The money that went out less the money that came in, USD. */
  external: number;
  solvency: {
    /** Whether the house is solvent, as GET /treasury says; while false, withdrawals wait. */
    solvent: boolean;
    /** Balances of all wallets, USD. */
    wallets: number;
    /** The part of these balances that is held back for withdrawals, USD. */
    reserved: number;
    /** What the pools of all markets hold, USD. */
    pools: number;
    /** What the house can still lose on markets that are not resolved, USD. */
    worstLosses: number;
    /** What came from outside, less wallets and pools: what the house owns, USD. */
    surplus: number;
    /** surplus - worstLosses, USD. */
    worstCase: number;
  };
  differences: {
    /** What differs. */
    kind: string;
    /** Where it differs, such as an account or a market. */
    subject: string;
    /** The stored figure. */
    stored: string;
    /** The figure that follows from entries and trades. */
    computed: string;
  }[];
}
