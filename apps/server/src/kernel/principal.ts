/**
 * Who acts. The kernel knows a principal by kind and id alone; the layers above add what they know about a kind by
 * declaration merging (`declare module '../../kernel/principal.ts'`), as features add their signals to the bus.
 */
interface PrincipalOf<Kind extends string> {
  readonly kind: Kind
  /** Whose rights it uses: the account of a user, client, job or API token; the link of a guest; the review of a reviewer. */
  readonly id: string
}

/** What every principal that stands for an account carries. The identity layer fills it. */
export interface AccountFields {}

/** A person with an account, by a session or by a grant or ticket that a session made. */
export interface UserPrincipal extends PrincipalOf<'user'>, AccountFields {}
/** A transfer client that acts for its user. */
export interface ClientPrincipal extends PrincipalOf<'client'>, AccountFields {}
/** A background job; it has the rights that its user has when each of its steps runs. */
export interface JobPrincipal extends PrincipalOf<'job'>, AccountFields {}
/** A program of a user's making, with at most the flags of its user. */
export interface ApiTokenPrincipal extends PrincipalOf<'api-token'>, AccountFields {}
/** A visitor of one link. */
export interface GuestPrincipal extends PrincipalOf<'guest'> {
  /** From the moment the link was opened until its token ends; what one visit brought no other one sees. */
  readonly visitId: string
}
/** Someone who decides about one delivery, under a grant that ends with the review. */
export type ReviewerPrincipal = PrincipalOf<'reviewer'>

/** Principals that stand for an account. */
export type AccountPrincipal = UserPrincipal | ClientPrincipal | JobPrincipal | ApiTokenPrincipal

export type Principal = AccountPrincipal | GuestPrincipal | ReviewerPrincipal
