// Values that all instances share: the event epoch and secrets.

export interface SettingsReader {
  get(name: string): Promise<string | null>;
}
export interface SettingsRepository extends SettingsReader {
  /** Stores `value` unless the name is taken, and returns the stored value. */
  putIfAbsent(name: string, value: string): Promise<string>;
}
