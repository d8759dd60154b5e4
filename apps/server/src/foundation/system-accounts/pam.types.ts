/** What the helper is asked, on its standard input. */
export interface PamQuestion {
  readonly service: string
  readonly login: string
  readonly password: string
  /** Accounts with a smaller number are nobody. */
  readonly minUid: number
  /** Where service files are; '' is where the system has them. */
  readonly folder: string
}

/** An account of the operating system that proved its password. */
export interface SystemAccount {
  readonly uid: number
  readonly login: string
  /** From the comment of its entry; '' without one. */
  readonly name: string
  readonly groups: readonly string[]
}

/** `anybody`: the service took somebody who does not exist. `error`: PAM itself failed, with its result. */
export type PamAnswer =
  | { readonly account: SystemAccount }
  | 'unknown'
  | 'wrong'
  | 'anybody'
  | { readonly error: number }
