import { accountOf } from '../../identity/principals/index.ts'
import type { Principal } from '../../kernel/principal.ts'
import { compileRules, type Rules, type RuleTexts } from './rules.ts'

/** Compiled rules by their text; accounts often share them. */
const compiled = new Map<string, readonly Rules[]>()
const COMPILED_MAX = 1000

/** What an administrator wrote for the account behind a principal; it holds in every place. */
export function accountRules(principal: Principal): readonly Rules[] {
  if (principal.kind === 'guest' || principal.kind === 'reviewer') return []
  const { fileRules } = accountOf(principal)
  if (fileRules === undefined) return []
  const known = compiled.get(fileRules)
  if (known !== undefined) return known
  if (compiled.size >= COMPILED_MAX) compiled.clear()
  const rules = [compileRules(JSON.parse(fileRules) as RuleTexts)]
  compiled.set(fileRules, rules)
  return rules
}
