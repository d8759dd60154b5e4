import { MASK, shownDatabaseUrl } from './database-url.ts'
import { CONFIG_KEYS, environmentName, type Config, type ConfigName, type ConfigSource } from './keys.ts'
import type { LoadedConfig } from './load.ts'

/** A key of the configuration as people may see it. */
export interface ShownKey {
  readonly name: ConfigName
  /** Masked where it is a secret. */
  readonly value: unknown
  readonly source: ConfigSource
  /** The variable that sets it. */
  readonly environment: string
  readonly summary: string
}

/** Every key with the value in force and where that comes from. */
export function shownConfig(config: Config, sources?: LoadedConfig['sources']): readonly ShownKey[] {
  return (Object.keys(CONFIG_KEYS) as ConfigName[]).map((name) => ({
    name,
    value: shown(name, config),
    source: sources?.[name] ?? 'default',
    environment: environmentName(name),
    summary: CONFIG_KEYS[name].summary,
  }))
}

function shown(name: ConfigName, config: Config): unknown {
  if (name === 'database.url') return shownDatabaseUrl(config)
  const value = config[name]
  return CONFIG_KEYS[name].secret !== undefined && value !== '' ? MASK : value
}
