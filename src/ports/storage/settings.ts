// Values that all instances share: the epoch of the facts, the secret of payment nonces, the kind of money.

export interface SettingsReader {
  get(name: string): Promise<string | null>;
}
export interface SettingsRepository extends SettingsReader {
  /** Stores `value` unless the name is taken, and returns the stored value. */
  putIfAbsent(name: string, value: string): Promise<string>;
  /** Stores `value` under the name, and replaces a value that is there. */
  put(name: string, value: string): Promise<void>;
}
