import type { ProviderTestStep } from '@godwit/contract'

/** Somebody as a provider knows them. */
export interface Person {
  /** Stays the same for as long as the entry lives, whatever is renamed. */
  readonly key: string
  /** What is typed at the sign-in. */
  readonly login: string
  /** Undefined: the provider does not manage it. */
  readonly name: string | undefined
  readonly email: string | undefined
  readonly phone: string | undefined
  /** Name of the department; '' without one. */
  readonly department: string | undefined
  /** Of groups of the provider that stand for departments and groups here. */
  readonly departmentId: number | undefined
  /** Undefined where they could not be asked for: memberships stay as they are. */
  readonly groupIds: readonly number[] | undefined
  /** Switched off at the provider. */
  readonly isDisabled: boolean
}

/** `unknown`: the provider has nobody of this name. `wrong`: it has, and the password is another one. */
export type Checked = Person | 'unknown' | 'wrong'

/** Somewhere else that knows people and their passwords. */
export interface Provider {
  /** @throws AppError when it cannot be asked, so that nobody mistakes silence for a wrong password */
  check(login: string, password: string): Promise<Checked>
  /** These people without their passwords; who is not there is left out. @throws AppError */
  find(logins: readonly string[], signal: AbortSignal): Promise<readonly Person[]>
  /** Everybody. A list that does not come to its proper end throws. @throws AppError */
  people(signal: AbortSignal, onRead: (people: number) => void): Promise<readonly Person[]>
  /** Proves the settings step by step, with somebody's sign-in when one is given. @throws AppError with `step` and `field` */
  test(somebody: { readonly login: string; readonly password: string } | undefined): Promise<TestResult>
}

export interface TestResult {
  readonly steps: ReadonlyArray<{ readonly step: ProviderTestStep; readonly ms: number }>
  readonly person: Person | undefined
}
