import type { RulesSource } from './access.ts'
import { accountRules } from './account-rules.ts'
import { compileRules, type Rules } from './rules.ts'

/** The types that the site takes, as an administrator wrote them. */
export type TypeTexts = Readonly<Record<'security.allowedTypes' | 'security.deniedTypes', string>>

/** Endings as an administrator wrote them: `pdf; .docx; *.tar.gz`. `.` stands for names without an ending. */
export function endingsIn(text: string): string[] {
  return text
    .split(/[;；,，]/)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .map((entry) => entry.replace(/^\*?\./, ''))
}

/** What narrows everybody's rights: the types that the site takes, and the rules of each account. */
export function siteAndAccountRules(current: () => Promise<TypeTexts>): RulesSource {
  let held: { readonly text: string; readonly rules: readonly Rules[] } | undefined
  return async (principal) => {
    const texts = await current()
    const [allowed, denied] = [texts['security.allowedTypes'], texts['security.deniedTypes']]
    const text = `${allowed}\n${denied}`
    if (held?.text !== text) held = { text, rules: compiled(endingsIn(allowed), endingsIn(denied)) }
    return [...held.rules, ...accountRules(principal)]
  }
}

function compiled(allowedTypes: readonly string[], deniedTypes: readonly string[]): readonly Rules[] {
  const isOpen = allowedTypes.length === 0 && deniedTypes.length === 0
  return isOpen ? [] : [compileRules({ level: 'site', allowedTypes, deniedTypes })]
}
