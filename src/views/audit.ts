/** The findings of an audit. USD are floats. `stored` and `computed` are integers as texts. */
export interface AuditView {
  ok: boolean;
  checked: { wallets: number; markets: number; positions: number; entries: number };
  treasury: number;
  external: number;
  solvency: {
    solvent: boolean;
    wallets: number;
    reserved: number;
    pools: number;
    worstLosses: number;
    surplus: number;
    worstCase: number;
  };
  differences: { kind: string; subject: string; stored: string; computed: string }[];
}
