import fs from 'node:fs'
import { BRANDING_ASSETS, type BrandingAsset } from '@godwit/contract'
import { settingText } from '@godwit/i18n/setting-texts'
import { openBranding, withRedraw, type Branding } from '../foundation/branding/index.ts'
import { nearest } from '../kernel/config/index.ts'
import { createLog } from '../kernel/log.ts'
import type { Command, Invocation } from './command.types.ts'
import { editableSettings, type EditableSettings } from './declared-settings.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { withNewDatabase } from './installation.ts'

/** The settings of the site and its images together, as operators see them; other places have `godwit settings`. */
const CHANGE = { target: {}, by: { kind: 'operator' }, door: 'command-line' } as const

const show: Command = {
  name: 'site show',
  summary: 'Show the settings of the site: names, colours, menu, switches, images',
  positionals: [],
  options: {},
  examples: ['godwit site show', 'godwit site show --json'],
  run: async (call) =>
    withSite(call, async ({ editor, branding }) => {
      const images = await branding.addresses()
      const rows = [
        ...(await editor.list()).map(({ key, value }) => ({ name: key, value, summary: settingText('en-US', key) })),
        ...BRANDING_ASSETS.map((name) => ({ name, value: images[name], summary: `Image: ${name}` })),
      ]
      call.show(
        rows,
        rows
          .map(({ name, value, summary }) => `${name.padEnd(30)}  ${String(value).padEnd(20)}  ${summary}`)
          .join('\n'),
      )
      return EXIT.ok
    }),
}

const set: Command = {
  name: 'site set',
  summary: 'Change a setting of the site; an image takes a file. A running server follows within a second',
  positionals: ['KEY', 'VALUE'],
  options: {},
  examples: [
    'godwit site set primaryColor #0B6E4F',
    'godwit site set menu.space.switch on',
    'godwit site set logo ./logo.png',
  ],
  run: async (call) =>
    withSite(call, async ({ registry, editor, branding }) => {
      const [name = '', value = ''] = call.positionals
      if (isAsset(name)) {
        const file = fs.readFileSync(value)
        await withRedraw(createLog('silent'), (redraw) => branding.change({ [name]: file }, redraw))
        call.show({ name, value: (await branding.addresses())[name] }, `Replaced the ${name}.`)
        return EXIT.ok
      }
      if (!registry.has(name)) return unknownKey(call, registry, name)
      const now = await editor.set(name, value, CHANGE)
      call.show({ name, value: now }, `${name} is now ${String(now)}.`)
      return EXIT.ok
    }),
}

const reset: Command = {
  name: 'site reset',
  summary: 'Give a setting or image of the site its default again',
  positionals: ['KEY'],
  options: {},
  examples: ['godwit site reset primaryColor', 'godwit site reset logo'],
  run: async (call) =>
    withSite(call, async ({ registry, editor, branding }) => {
      const [name = ''] = call.positionals
      if (isAsset(name)) {
        await withRedraw(createLog('silent'), (redraw) => branding.change({ [name]: null }, redraw))
        call.show({ name, value: '' }, `The ${name} is the built-in one again.`)
        return EXIT.ok
      }
      if (!registry.has(name)) return unknownKey(call, registry, name)
      const now = await editor.reset(name, CHANGE)
      call.show({ name, value: now }, `${name} is ${String(now)} again.`)
      return EXIT.ok
    }),
}

export const SITE_COMMANDS: readonly Command[] = [show, set, reset]

interface Site extends EditableSettings {
  readonly branding: Branding
}

async function withSite(call: Invocation, work: (site: Site) => Promise<ExitCode>): Promise<ExitCode> {
  const { clock } = call.io
  return withNewDatabase(call, async (database) =>
    work({
      ...editableSettings(call, database),
      branding: openBranding({ db: database.db, clock }),
    }),
  )
}

function isAsset(name: string): name is BrandingAsset {
  return BRANDING_ASSETS.some((asset) => asset === name)
}

function unknownKey(call: Invocation, registry: EditableSettings['registry'], name: string): ExitCode {
  const guess = nearest(name, [...registry.keys(), ...BRANDING_ASSETS])
  const hint = guess === undefined ? 'See godwit site show.' : `Did you mean ${guess}?`
  call.io.stderr(`godwit: there is no site setting '${name}'. ${hint}\n`)
  return EXIT.usage
}
