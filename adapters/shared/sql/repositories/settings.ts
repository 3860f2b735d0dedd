import type { SettingsRepository } from '../../../../src/ports/storage';
import { text } from '../row-columns';
import type { Dialect } from '../dialect';
import { encodeRows, type Session } from '../session';

export function settingsRepository(dialect: Dialect): (session: Session) => SettingsRepository {
  const table = dialect.table('settings');
  const get = `SELECT value FROM ${table} WHERE name = $1`;
  const insert = `WITH ${dialect.rows({ name: 'text', value: 'text' })}
    INSERT INTO ${table} (name, value) SELECT name, value FROM r WHERE true ON CONFLICT (name)`;
  const putIfAbsent = `${insert} DO NOTHING RETURNING value`;
  const put = `${insert} DO UPDATE SET value = excluded.value`;

  return (session) => ({
    async get(name) {
      const [row] = await session.query(get, [name]);
      return row === undefined ? null : text(row, 'value');
    },
    async putIfAbsent(name, value) {
      const [inserted] = await session.query(putIfAbsent, [encodeRows([[name, value]])]);
      const [row] = inserted === undefined ? await session.query(get, [name]) : [inserted];
      if (row === undefined) throw new Error(`setting ${name} was neither stored nor found`);
      return text(row, 'value');
    },
    async put(name, value) {
      await session.query(put, [encodeRows([[name, value]])]);
    },
  });
}
