import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { secureRandom, systemClock } from '@godwit/base'
import type { SettingTab } from '@godwit/contract'
import type { Locale } from '@godwit/i18n'
import { choiceText, settingText } from '@godwit/i18n/setting-texts'
import { declaredSettings } from '../apps/server/src/cli/declared-settings.ts'
import { loadConfig } from '../apps/server/src/kernel/config/index.ts'
import { openKernel } from '../apps/server/src/kernel/kernel.ts'
import { createLog } from '../apps/server/src/kernel/log.ts'
import { jsonSchemaOf, settingField, type SettingRegistry } from '../apps/server/src/foundation/settings/index.ts'
import { ROOT } from './steps.ts'

/** `npm run settings` writes docs/settings.md from what the features declare. `npm run check` refuses drift. */

const DOCUMENT = 'docs/settings.md'

const HEAD = `# Settings

An administrator can change these while the server runs, unlike the configuration of the process ([cli.md](cli.md)). Each setting is
declared by its feature; this page is generated from the registry that the commands use (\`npm run settings\`).

A setting may have a value for the site, a space, a group and an account. The narrowest one applies; without any, the default does.
"Scope" is the narrowest level at which the setting can be set. "By" says who may change it: an administrator, or the account itself
for its own value. A running server applies a change within a second or, where "Restart" says yes, at its next start. The history
records who made each change, when, and the values before and after.

    godwit settings list
    godwit settings set primaryColor "#0B6E4F"
    godwit settings get primaryColor
    godwit settings reset primaryColor
    godwit settings history --key primaryColor

| Key | Meaning | 含义 | Scope | Default | By | Restart |
|---|---|---|---|---|---|---|
`

/** Refuses a page that is not what the features declare. */
export async function checkSettings(): Promise<string> {
  const committed = await readFile(join(ROOT, DOCUMENT), 'utf8')
  if (committed !== (await wanted())) throw new Error(`${DOCUMENT} is not what features declare. Run: npm run settings`)
  return 'as the features declare'
}

async function wanted(): Promise<string> {
  return withRegistry((registry) => {
    const rows = [...registry.values()].map(({ key, schema, scope, byDefault, right, restart, tab }) => {
      const { choices } = settingField(schema)
      const texts = (['en-US', 'zh-CN'] as const).map((locale) => meaning(locale, key, choices))
      const cells = [`\`${key}\``, ...texts, scope, shown(byDefault, tab), right, restart ? 'yes' : 'no']
      return `| ${cells.join(' | ')} |\n`
    })
    return HEAD + rows.join('')
  })
}

/** What the API document shows of them. */
export async function settingsSchema(): Promise<Readonly<Record<string, unknown>>> {
  return withRegistry(jsonSchemaOf)
}

async function withRegistry<Result>(work: (registry: SettingRegistry) => Result): Promise<Result> {
  const data = await mkdtemp(join(tmpdir(), 'godwit-settings-'))
  const { config } = loadConfig({ environment: { GODWIT_DATA: data }, flags: {}, readSecret: () => '' })
  const kernel = openKernel({ config, clock: systemClock, random: secureRandom, log: createLog('silent') })
  try {
    return work(declaredSettings(kernel))
  } finally {
    await kernel.database.close()
    await rm(data, { recursive: true, force: true })
  }
}

/** `Ways of transfer (0: Browser and client, 1: …)` */
function meaning(locale: Locale, key: string, choices: readonly number[]): string {
  const text = settingText(locale, key)
  if (choices.length === 0) return text
  return `${text} (${choices.map((value) => `${value}: ${choiceText(locale, key, value)}`).join(', ')})`
}

/** Words of mails would fill the table; the console shows them. */
function shown(value: unknown, tab: SettingTab): string {
  if (tab === 'mail') return 'as shipped'
  return value === '' ? 'empty' : `\`${String(value)}\``
}

if (import.meta.main) await writeFile(join(ROOT, DOCUMENT), await wanted())
