import { setTimeout as after } from 'node:timers/promises'
import { doctorTexts } from '@godwit/i18n/doctor-texts'
import { errorText, type Locale } from '@godwit/i18n'
import { Refused } from '../../foundation/installation/index.ts'
import { withoutDatabasePassword } from '../../kernel/config/index.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Check } from '../../kernel/feature.ts'
import type { DoctorDeps, Finding, Look, ShownFinding } from './doctor.types.ts'
import { LOOKS, LOOKS_BEFORE_THE_FIRST_START, LOOKS_OF_A_STOPPED_SERVER } from './doctor.looks.ts'

/** A look that takes longer is given up: what it asks does not answer. */
const LOOK_MS = 10_000

/** Looks for what would keep the server from working, each with what mends it. Makes nothing before the first start. */
export async function examine(deps: DoctorDeps, locale: Locale): Promise<ShownFinding[]> {
  const looks: Readonly<Record<string, Look>> = {
    ...LOOKS,
    ...(deps.isRunning ? {} : LOOKS_OF_A_STOPPED_SERVER),
    ...(deps.isInstalled ? {} : LOOKS_BEFORE_THE_FIRST_START),
  }
  const all = [...Object.entries(looks), ...(deps.isInstalled ? [FEATURES] : [])]
  const show = (check: string, found: Finding): ShownFinding => shown(deps, locale, { check, found })
  // All at once, so that the slowest of them bounds the whole.
  const groups = await Promise.all(
    all.map(async ([check, look]) => {
      if (check !== 'features') return [show(check, await bounded(() => look(deps)))]
      return featureFindings(deps, show)
    }),
  )
  return groups.flat()
}

const FEATURES: readonly [string, Look] = ['features', () => Promise.resolve({ state: 'ok', code: 'feature.ok' })]

/** What is looked at more closely by itself is left out; nobody can say anything of the others without the database. */
async function featureFindings(
  deps: DoctorDeps,
  show: (check: string, found: Finding) => ShownFinding,
): Promise<ShownFinding[]> {
  const checkOne = async ({ name, run }: Check): Promise<ShownFinding> => {
    const look = async (): Promise<Finding> => {
      await run()
      return { state: 'ok', code: 'feature.ok' }
    }
    return show(name, await bounded(look))
  }
  const others = (checks: readonly Check[]) => checks.filter(({ name }) => !(name in LOOKS))
  try {
    return await deps.withChecks((checks) => Promise.all(others(checks).map(checkOne)))
  } catch (thrown) {
    return [show('features', { state: 'problem', code: 'failed', thrown })]
  }
}

async function bounded(look: () => Promise<Finding>): Promise<Finding> {
  const done = new AbortController()
  const late = after(LOOK_MS, 'late' as const, { signal: done.signal, ref: false })
  // The look was in time.
  late.catch(() => undefined)
  try {
    const found = await Promise.race([look(), late])
    return found === 'late' ? { state: 'problem', code: 'timeout', values: { seconds: LOOK_MS / 1000 } } : found
  } catch (thrown) {
    return { state: 'problem', code: 'failed', thrown }
  } finally {
    done.abort()
  }
}

function shown(
  { config }: DoctorDeps,
  locale: Locale,
  { check, found }: { readonly check: string; readonly found: Finding },
): ShownFinding {
  const { state, code, thrown } = found
  const reason = thrown === undefined ? '' : withoutDatabasePassword(reasonOf(thrown, locale), config)
  const { fix, ...texts } = doctorTexts(locale, { check, code, values: { ...found.values, reason } })
  // A refusal says itself what mends it.
  const mend = thrown instanceof Refused ? doctorTexts(locale, { check: '', code, values: {} }).fix : fix
  const who = state === 'ok' ? 'nobody' : isForConsole(check) ? 'console' : 'host'
  return { check, state, code, ...texts, who, ...(mend === undefined ? {} : { fix: mend }) }
}

function isForConsole(check: string): boolean {
  return ['mail', 'certificate', 'storage', 'multipart'].includes(check)
}

/** The message with those of its causes, which hold what the database or the system said itself. */
function reasonOf(thrown: unknown, locale: Locale): string {
  if (!(thrown instanceof Error)) return String(thrown)
  const { cause } = thrown
  const own =
    thrown instanceof AppError
      ? errorText(locale, thrown.code)
      : thrown.message || ('code' in thrown ? String(thrown.code) : thrown.name)
  return cause === undefined ? own : `${own}: ${reasonOf(cause, locale)}`
}
