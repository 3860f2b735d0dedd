/** The host's own table of fees, in a separate database. It contains each fee once. */
import { QueryTypes, Sequelize } from 'sequelize';

/** The fee of one trade. Epoch and `seq` of the fact identify it. */
export interface BookedFee {
  epoch: string;
  seq: number;
  marketId: number;
  /** In millionths of a USD: whole numbers add up exactly. */
  micros: number;
}

export interface FeeBook {
  /** Books the fee unless it is booked already. */
  book(fee: BookedFee): Promise<void>;
  /** The sum of all fees, in millionths of a USD. */
  total(): Promise<number>;
  close(): Promise<void>;
}

export async function openFeeBook(file: string): Promise<FeeBook> {
  const database = new Sequelize({ dialect: 'sqlite', storage: file, logging: false });
  await database.query(`CREATE TABLE IF NOT EXISTS fees (
    epoch TEXT NOT NULL, seq INTEGER NOT NULL, market INTEGER NOT NULL, micros INTEGER NOT NULL,
    PRIMARY KEY (epoch, seq))`);
  return {
    async book({ epoch, seq, marketId, micros }) {
      // The primary key makes sure that each fee is booked once. A SELECT before the INSERT could not: the
      // same fact may come again at any moment, also on another instance.
      await database.query(
        'INSERT INTO fees (epoch, seq, market, micros) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
        { replacements: [epoch, seq, marketId, micros] },
      );
    },
    async total() {
      const sql = 'SELECT COALESCE(SUM(micros), 0) AS total FROM fees';
      const [row] = await database.query<{ total: number }>(sql, { type: QueryTypes.SELECT });
      return row?.total ?? 0;
    },
    close: () => database.close(),
  };
}
