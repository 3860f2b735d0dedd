export { createApp, type Standalone, type StandaloneOptions } from './app';
export { SettingsError, type Environment } from './checks';
export type { Settings } from './settings';
