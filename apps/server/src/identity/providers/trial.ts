import type { ErrorName, ProviderTestStep } from '@godwit/contract'
import { AppError } from '../../kernel/errors.ts'
import type { Checked, Person, TestResult } from './provider.types.ts'

export interface TrialDeps {
  readonly clock: { monotonic(): number }
}

/** Writes down which steps of a test passed, and how long each took. */
export function stepsOf({ clock }: TrialDeps) {
  const steps: Array<TestResult['steps'][number]> = []
  let begun = clock.monotonic()
  return {
    steps,
    done(step: ProviderTestStep): void {
      const now = clock.monotonic()
      steps.push({ step, ms: Math.round(now - begun) })
      begun = now
    },
  }
}

interface Trial {
  /** What the first question proves: that there is an answer. */
  readonly first: ProviderTestStep
  /** Nobody has this name. */
  readonly nobody: string
  readonly check: (login: string, password: string) => Promise<Checked>
  readonly field: string
  /** What somebody is refused with. Default: AUTH_SERVICE_CREDENTIALS_WRONG. */
  readonly wrong?: ErrorName
}

/**
 * Tests something that only says yes or no. Whoever says yes to everybody must not be asked about anybody, so somebody who
 * does not exist has to be refused before a person is tried.
 * @throws AppError AUTH_SERVICE_ACCEPTS_ANYBODY, `wrong`, and those of the check
 */
export async function tryYesOrNo(
  deps: TrialDeps,
  { first, nobody, check, field, wrong = 'AUTH_SERVICE_CREDENTIALS_WRONG' }: Trial,
  somebody: { readonly login: string; readonly password: string } | undefined,
): Promise<TestResult> {
  const { steps, done } = stepsOf(deps)
  const refused = await check(nobody, 'no password of anybody')
  done(first)
  if (typeof refused === 'object') throw new AppError('AUTH_SERVICE_ACCEPTS_ANYBODY', { step: 'refusal', field })
  done('refusal')
  if (somebody === undefined) return { steps, person: undefined }
  const person: Person = accepted(await check(somebody.login, somebody.password), wrong)
  done('password')
  return { steps, person }
}

function accepted(checked: Checked, wrong: ErrorName): Person {
  if (typeof checked === 'object') return checked
  const step = checked === 'unknown' ? 'account' : 'password'
  throw new AppError(wrong, { step, field: step })
}
