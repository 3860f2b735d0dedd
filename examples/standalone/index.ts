export { createApp, type Standalone, type StandaloneOptions } from './app';
export { SettingsError, type Environment, type Settings } from './settings';
