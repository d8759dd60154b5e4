import {
  CONFIG_FILE_VARIABLE,
  CONFIG_KEYS,
  environmentName,
  flagName,
  VARIABLE_PREFIX,
  type Config,
  type ConfigName,
  type ConfigSource,
  type Secret,
} from './keys.ts'
import { nearest } from './nearest.ts'

/** One thing wrong with the configuration, named so that it can be found and mended. */
export interface ConfigFault {
  readonly key: string
  readonly source: ConfigSource
  readonly message: string
}

export class ConfigError extends Error {
  readonly faults: readonly ConfigFault[]
  constructor(faults: readonly ConfigFault[], options?: ErrorOptions) {
    super(faults.map((fault) => `${fault.key} (${fault.source}): ${fault.message}`).join('\n'), options)
    this.name = 'ConfigError'
    this.faults = faults
  }
}

export interface ConfigInputs {
  /** Parsed JSON of the config file, or undefined without one. */
  readonly file?: unknown
  readonly environment: Readonly<Record<string, string | undefined>>
  /** By flag name without dashes: `port`, `upload-max-bytes`. */
  readonly flags: Readonly<Record<string, string | undefined>>
  /** Reads the file named by a `_FILE` twin. */
  readonly readSecret: (path: string) => string
}

export interface LoadedConfig {
  readonly config: Config
  readonly sources: Readonly<Record<ConfigName, ConfigSource>>
}

/**
 * defaults < file < environment < flags.
 * @throws ConfigError with every fault at once
 */
export function loadConfig(inputs: ConfigInputs): LoadedConfig {
  const faults: ConfigFault[] = []
  const file = flatten(inputs.file, faults)
  const values: Record<string, unknown> = {}
  const sources: Record<string, ConfigSource> = {}
  for (const [name, spec] of Object.entries(CONFIG_KEYS)) {
    const { value, source } = choose({ name, isSecret: spec.secret !== undefined }, inputs, file)
    if (source === 'flag' && isSecretIn(spec.secret, value)) faults.push({ key: name, source, message: exposed(name) })
    const parsed = spec.schema.safeParse(value)
    if (parsed.success) values[name] = parsed.data
    else faults.push({ key: name, source, message: parsed.error.issues[0]?.message ?? 'invalid' })
    sources[name] = source
  }
  for (const name of file.keys()) {
    if (!(name in CONFIG_KEYS))
      faults.push({ key: name, source: 'file', message: unknown(name, Object.keys(CONFIG_KEYS)) })
  }
  faults.push(...unknownVariables(inputs.environment))
  if (faults.length > 0) throw new ConfigError(faults)
  return { config: values as Config, sources: sources as Record<ConfigName, ConfigSource> }
}

function choose(
  { name, isSecret }: { readonly name: string; readonly isSecret: boolean },
  inputs: ConfigInputs,
  file: ReadonlyMap<string, unknown>,
): { value: unknown; source: ConfigSource } {
  const flag = inputs.flags[flagName(name)]
  if (flag !== undefined) return { value: flag, source: 'flag' }
  const variable = environmentName(name)
  const fromEnvironment = inputs.environment[variable]
  if (fromEnvironment !== undefined) return { value: fromEnvironment, source: 'environment' }
  const secretFile = isSecret ? inputs.environment[`${variable}_FILE`] : undefined
  if (secretFile !== undefined) return { value: inputs.readSecret(secretFile).trimEnd(), source: 'environment' }
  if (file.has(name)) return { value: file.get(name), source: 'file' }
  return { value: undefined, source: 'default' }
}

function isSecretIn(secret: Secret | undefined, value: unknown): boolean {
  if (secret !== 'password') return secret === 'all'
  return typeof value === 'string' && URL.canParse(value) && new URL(value).password !== ''
}

function exposed(name: string): string {
  const variable = environmentName(name)
  return `the list of processes would show this secret to everybody on the machine; set ${variable} or ${variable}_FILE`
}

/** `{upload: {maxBytes: 1}}` and `{"upload.maxBytes": 1}` are the same. */
function flatten(value: unknown, faults: ConfigFault[]): Map<string, unknown> {
  const flat = new Map<string, unknown>()
  const walk = (inner: unknown, prefix: string): void => {
    if (!isGroup(inner)) {
      faults.push({ key: prefix || '(file)', source: 'file', message: 'must be an object' })
      return
    }
    for (const [part, child] of Object.entries(inner)) {
      const name = prefix === '' ? part : `${prefix}.${part}`
      if (isGroup(child) && !(name in CONFIG_KEYS)) walk(child, name)
      else flat.set(name, child)
    }
  }
  if (value !== undefined) walk(value, '')
  return flat
}

function isGroup(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A misspelled variable would otherwise leave its default in force without a word. */
function unknownVariables(environment: ConfigInputs['environment']): ConfigFault[] {
  const known = new Set([CONFIG_FILE_VARIABLE, ...Object.entries(CONFIG_KEYS).flatMap(variablesOf)])
  return Object.keys(environment)
    .filter((name) => name.startsWith(VARIABLE_PREFIX) && !known.has(name))
    .map((key) => ({ key, source: 'environment', message: unknown(key, [...known]) }))
}

function variablesOf([name, { secret }]: readonly [string, { readonly secret: Secret | undefined }]): string[] {
  const variable = environmentName(name)
  return secret !== undefined ? [variable, `${variable}_FILE`] : [variable]
}

function unknown(name: string, known: readonly string[]): string {
  const near = nearest(
    name.toLowerCase(),
    known.map((other) => other.toLowerCase()),
  )
  const guess = known.find((other) => other.toLowerCase() === near)
  return guess === undefined ? 'no such setting' : `no such setting; did you mean ${guess}?`
}
