import { systemClock } from '@godwit/base'
import { type Context, signedIn, UsageError } from '../commands/context.ts'
import { EXIT } from '../commands/transfer-output.ts'
import { downloadFolder, readPreferences } from '../profiles/preferences.ts'
import { apiHostOf } from '../transfers/connect.ts'
import { examine } from './examine.ts'
import { findingText, localeOf } from './texts.ts'
import { measureLine } from './line-test.ts'

const MARKS = { ok: 'ok', warning: '!!', problem: 'XX' } as const

/** godwit-client doctor: what keeps transfers from being fast, who can mend it, and the next step. */
export async function doctor(context: Context): Promise<number> {
  const { words, output, environment, options, signal } = context
  if (words.length > 0) throw new UsageError('doctor takes no further words')
  const { profile, api } = await signedIn(context)
  const locale = localeOf(environment)
  const link = { apiHost: apiHostOf(profile), udp: options.udp ? 'auto' : 'off', rate: Infinity, signal } as const
  const folder = downloadFolder(await readPreferences(environment))
  let hasProblem = false
  const deps = { profile, api, folder, clock: systemClock }
  for await (const finding of examine({ ...deps, measure: (ticket) => measureLine(ticket, link) })) {
    const { key, state, values } = finding
    const { text, who, next } = findingText(locale, key, values)
    const [whoLabel, nextLabel] = locale === 'zh-CN' ? ['可由谁处理', '下一步'] : ['who can mend it', 'next step']
    const more = [...(who === undefined ? [] : [`    ${whoLabel}: ${who}`])]
    if (next !== undefined) more.push(`    ${nextLabel}: ${next}`)
    output.emit('finding', { key, state, values, text, who, next }, `${MARKS[state]}  ${text}`, ...more)
    hasProblem ||= state === 'problem'
  }
  return hasProblem ? EXIT.failed : EXIT.done
}
