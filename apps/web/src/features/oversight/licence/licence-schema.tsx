import { isLicenceCode } from '@godwit/contract/field-rules'
import { LICENCE_FILE_MAX } from '@godwit/contract/foundation/licence-limits'
import type { Texts } from '../../../lib/texts.tsx'
import type { FormSchema } from '../../../ui/form/index.ts'
import { textFileField } from '../../console-kit/text-file-field.tsx'

type LicenceField = 'file' | 'code'

export const NOTHING: Readonly<Record<LicenceField, string>> = { file: '', code: '' }

/** @param isWaiting a file was given before, so the code alone is enough */
export function licenceSchema(texts: Texts, isWaiting: boolean): FormSchema<LicenceField> {
  return {
    file: textFileField<LicenceField>('file', {
      label: texts('licence.file'),
      hint: texts(isWaiting ? 'licence.file.hint.waiting' : 'licence.file.hint'),
      accept: '.licence,.license,.lic,.txt',
      maxBytes: LICENCE_FILE_MAX,
      isRequired: !isWaiting,
      errors: ['LICENCE_INVALID', 'LICENCE_EXPIRED'],
      wire: 'file',
    }),
    code: {
      kind: 'text',
      label: texts('licence.code'),
      hint: texts('licence.code.hint'),
      isRequired: isWaiting,
      rule: (value) => (isLicenceCode(value.trim()) ? undefined : texts('licence.code.rule')),
      errors: ['LICENCE_CODE_FORMAT', 'LICENCE_CODE_UNSUPPORTED'],
      wire: 'code',
      maxLength: 64,
      autoComplete: 'off',
      autoCapitalize: 'characters',
      spellCheck: false,
      translate: 'no',
    },
  }
}
