import type { ProviderTestStep } from '@godwit/contract'

/** Somebody as a provider knows them. */
export interface Person {
  /** Stays the same for as long as the entry lives, whatever is renamed. */
  readonly key: string
  /** What is typed at the sign-in. */
  readonly login: string
  /** What the account is called after, where that is not the login. */
  readonly calledAfter?: string
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

/** Somewhere else that knows people. */
export interface Provider {
  /** Proves the settings step by step, with somebody's sign-in when one is given. @throws AppError with `step` and `field` */
  test(somebody: { readonly login: string; readonly password: string } | undefined): Promise<TestResult>
}

/** It also knows their passwords, and whether one that was typed here is right. */
export interface PasswordSource extends Provider {
  /**
   * @param withinMs longest wait, where others are to be asked as well
   * @throws AppError when it cannot be asked, so that nobody mistakes silence for a wrong password
   */
  check(login: string, password: string, withinMs?: number): Promise<Checked>
}

/** It also gives a list of its people. */
export interface Directory extends PasswordSource {
  /** These people without their passwords; who is not there is left out. @throws AppError */
  find(logins: readonly string[], signal: AbortSignal): Promise<readonly Person[]>
  /** Everybody. A list that does not come to its proper end throws. @throws AppError */
  people(signal: AbortSignal, onRead: (people: number) => void): Promise<readonly Person[]>
}

/** People prove who they are at a page of its own, and come back with an answer. */
export interface SignOn extends Provider {
  /** @throws AppError */
  begin(way: Way): Promise<Departure>
  /** @throws AppError SIGN_ON_REFUSED, SIGN_ON_ANSWER_INVALID and those of {@link test} */
  finish(answer: Answer): Promise<Arrival>
  /** @returns undefined for a notice that does not come from it. @throws AppError when it cannot be checked */
  ended(notice: string): Promise<Ended | undefined>
  /**
   * @param kept {@link Arrival.leave}
   * @param backTo address of this site to come back to, when it is known
   * @returns the address that ends the session there
   */
  leave(kept: string, backTo: string | undefined): Promise<string>
}

/** It also sends people here to be signed out, and waits for them to come back with the answer. */
export interface BrowserSignOn extends SignOn {
  /** @returns undefined for a sign-out that is not its own. @throws AppError SIGN_ON_ANSWER_INVALID */
  signOut(message: SignOutMessage): Promise<SignedOut | undefined>
}

/** As it came: in a query, which is signed as it stands, or in a form. */
export type SignOutMessage = { readonly origin: string } & (
  | { readonly query: string }
  | { readonly request: string; readonly relayState: string }
)

export interface SignedOut {
  readonly ended: Ended
  /** Where the answer goes; '' for a provider that takes none. */
  readonly url: string
}

export interface Way {
  /** The page here that the provider leads back to. */
  readonly redirectUri: string
  /** Comes back with the answer. */
  readonly state: string
  /** Whether the person has to prove themselves again, whatever the provider remembers. */
  readonly again: boolean
}

export interface Departure {
  readonly url: string
  /** What the answer is checked with. Nobody else sees it. */
  readonly kept: Readonly<Record<string, string>>
}

export interface Answer extends Omit<Way, 'again'> {
  /** Query string of the page that was led back to. */
  readonly query: string
  /** What the provider had the browser post; '' when it answers in the query. */
  readonly posted: string
  readonly kept: Departure['kept']
}

/** Who came back. */
export interface Arrival {
  readonly person: Person
  /** Of the provider; '' when it named none. */
  readonly session: string
  /** What {@link SignOn.leave} ends that session with; '' without a way. */
  readonly leave: string
}

/** Somebody signed out at the provider: one session of theirs, or all. */
export interface Ended {
  readonly key: string
  /** '' is every session of the person. */
  readonly session: string
  /** Sessions that began later are not meant. Unix milliseconds. */
  readonly at: number
}

export interface TestResult {
  readonly steps: ReadonlyArray<{ readonly step: ProviderTestStep; readonly ms: number }>
  readonly person: Person | undefined
}
