import type { RemovedUsers } from '@godwit/contract'
import type { Texts } from '../../../lib/texts.tsx'
import type { Field } from '../../../ui/form/index.ts'
import type { BulkAction } from '../../console-kit/bulk.ts'

type Fate = RemovedUsers['files']

const FATES: readonly Fate[] = ['keep', 'hand-over', 'delete']

/** What is to become of the files of people who are removed; nothing is deleted for good by a single click. @param fates those that make sense here; the first one is chosen */
export function filesQuestion(texts: Texts, fates: readonly Fate[] = FATES): NonNullable<BulkAction['ask']> {
  const files: Field<string> = {
    kind: 'select',
    label: texts('users.remove.files'),
    hint: (values) => texts(`users.remove.${fateIn(values)}.hint`),
    choices: fates.map((value) => ({ value, label: texts(`users.remove.${value}`) })),
  }
  const to: Field<string> = {
    kind: 'text',
    label: texts('users.remove.to'),
    hint: texts('users.remove.to.hint'),
    isRequired: true,
    errors: ['ACCOUNT_NOT_FOUND'],
    wire: 'to',
    maxLength: 256,
    autoComplete: 'off',
    autoCapitalize: 'none',
    spellCheck: false,
    translate: 'no',
    isHidden: (values) => fateIn(values) !== 'hand-over',
  }
  const word = texts('users.remove.word')
  const confirm: Field<string> = {
    kind: 'text',
    label: texts('users.remove.confirm', { word }),
    isRequired: true,
    rule: (value) => (value.trim().toLowerCase() === word ? undefined : texts('users.remove.confirm', { word })),
    autoComplete: 'off',
    spellCheck: false,
    isHidden: (values) => fateIn(values) !== 'delete',
  }
  return { schema: { files, to, confirm }, initial: { files: fates[0] ?? 'keep', to: '', confirm: '' } }
}

/** The answer as the wire has it. */
export function fateOf(values: Readonly<Record<string, string>>): { readonly files: Fate; readonly to?: string } {
  const files = fateIn(values)
  return files === 'hand-over' ? { files, to: values['to']?.trim() ?? '' } : { files }
}

function fateIn(values: Readonly<Record<string, string>>): Fate {
  return FATES.find((fate) => fate === values['files']) ?? 'keep'
}
