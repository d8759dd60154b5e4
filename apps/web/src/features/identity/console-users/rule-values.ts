import type { FileRules } from '@godwit/contract'
import { linesOf } from '../../console-kit/lines.ts'
import { ON } from '../../../ui/form/index.ts'

export type RuleField = 'forbiddenPaths' | 'allowedPaths' | 'uploadNewOnly' | 'deniedTypes' | 'allowedTypes'
export const RULE_FIELDS = ['forbiddenPaths', 'allowedPaths', 'uploadNewOnly', 'deniedTypes', 'allowedTypes'] as const

export type RuleValues = Readonly<Record<RuleField, string>>

export const NO_RULES: RuleValues = {
  forbiddenPaths: '',
  allowedPaths: '',
  uploadNewOnly: '',
  deniedTypes: '',
  allowedTypes: '',
}

export function ruleValuesOf(rules: FileRules): RuleValues {
  return {
    forbiddenPaths: rules.forbiddenPaths.join('\n'),
    allowedPaths: rules.allowedPaths.join('\n'),
    uploadNewOnly: rules.uploadNewOnly ? ON : '',
    deniedTypes: typesText(rules.deniedTypes),
    allowedTypes: typesText(rules.allowedTypes),
  }
}

export function rulesOf({
  forbiddenPaths,
  allowedPaths,
  uploadNewOnly,
  deniedTypes,
  allowedTypes,
}: RuleValues): FileRules {
  return {
    forbiddenPaths: linesOf(forbiddenPaths),
    allowedPaths: linesOf(allowedPaths),
    uploadNewOnly: uploadNewOnly === ON,
    deniedTypes: typesIn(deniedTypes),
    allowedTypes: typesIn(allowedTypes),
  }
}

/** How a name without any ending is written in a list of types. */
const WITHOUT_ENDING = '.'

/** Endings as people write them: `exe; .BAT; *.tar.gz`. */
export function typesIn(text: string): string[] {
  const endings = text
    .split(/[;,；，\s]+/)
    .filter((each) => each !== '')
    .map((each) => each.replace(/^\*?\./, '').toLowerCase())
  return [...new Set(endings)]
}

function typesText(types: readonly string[]): string {
  return types.map((type) => (type === '' ? WITHOUT_ENDING : type)).join('; ')
}

/** A moment as a field of date and time shows it, in the time zone of the browser; '' for none. */
export function momentText(at: number | null): string {
  if (at === null) return ''
  const local = new Date(at - new Date(at).getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, 16)
}

/** @returns null for an empty field */
export function momentOf(text: string): number | null {
  const at = new Date(text).getTime()
  return Number.isNaN(at) ? null : at
}
