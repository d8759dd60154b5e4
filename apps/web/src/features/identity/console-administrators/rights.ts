import { CONSOLE_RIGHTS, type RoleRight } from '@godwit/contract/identity/console-rights'

/** `users` of `users.view`. */
type AreaOf<Right extends string> = Right extends `${infer Area}.${string}` ? Area : never
/** `view` of `users.view`. */
type VerbOf<Right extends string> = Right extends `${string}.${infer Verb}` ? Verb : never

export type RightArea = AreaOf<RoleRight>
export type RightVerb = VerbOf<RoleRight>

export interface RightsOfArea {
  readonly area: RightArea
  readonly rights: ReadonlyArray<{ readonly right: RoleRight; readonly verb: RightVerb }>
}

/** Every right of a role, area by area, in the order of the contract. */
export const RIGHTS_BY_AREA: readonly RightsOfArea[] = [...Map.groupBy(CONSOLE_RIGHTS, areaOf)].map(
  ([area, rights]) => ({ area, rights: rights.map((right) => ({ right, verb: verbOf(right) })) }),
)

function areaOf(right: RoleRight): RightArea {
  return right.split('.')[0] as RightArea
}

function verbOf(right: RoleRight): RightVerb {
  return right.split('.')[1] as RightVerb
}

/** The rights of a form's text, which holds them separated by spaces. */
export function rightsOf(text: string): readonly RoleRight[] {
  const wanted = new Set(text.split(' '))
  return CONSOLE_RIGHTS.filter((right) => wanted.has(right))
}
