import type { Texts } from '../../../lib/texts.tsx'
import type { FormSchema } from '../../../ui/form/index.ts'
import { textFileField } from '../../console-kit/text-file-field.tsx'

type PairField = 'certificate' | 'key'

export const NOTHING: Readonly<Record<PairField, string>> = { certificate: '', key: '' }

/** As the contract allows: a chain takes a few KiB. */
const PEM_MAX_BYTES = 128 * 1024

/** The certificate with its chain, and its key; every check of the server is shown at the field it is about. */
export function pairSchema(texts: Texts): FormSchema<PairField> {
  return {
    certificate: textFileField<PairField>('certificate', {
      label: texts('certificates.pem'),
      hint: texts('certificates.pem.hint'),
      accept: '.pem,.crt,.cer',
      maxBytes: PEM_MAX_BYTES,
      isRequired: true,
      errors: ['CERTIFICATE_PEM_INVALID', 'CERTIFICATE_CHAIN_INVALID', 'CERTIFICATE_NOT_RSA', 'CERTIFICATE_EXPIRED'],
      wire: 'certificate',
    }),
    key: textFileField<PairField>('key', {
      label: texts('certificates.private-key'),
      hint: texts('certificates.private-key.hint'),
      accept: '.pem,.key',
      maxBytes: PEM_MAX_BYTES,
      isRequired: true,
      errors: [
        'CERTIFICATE_KEY_INVALID',
        'CERTIFICATE_KEY_ENCRYPTED',
        'CERTIFICATE_KEY_TOO_SHORT',
        'CERTIFICATE_MISMATCH',
      ],
      wire: 'key',
    }),
  }
}

/** Roughly; the server has the last word. */
const NAME = /^[A-Za-z0-9*_.:-]{1,253}$/

/** Names as people write lists of them. */
export function namesIn(text: string): readonly string[] {
  return text
    .split(/[,;，；\n]/)
    .map((name) => name.trim())
    .filter((name) => name !== '')
}

export function selfSignedSchema(texts: Texts): FormSchema<'names'> {
  return {
    names: {
      kind: 'text',
      label: texts('certificates.names'),
      hint: texts('certificates.names.hint'),
      isRequired: true,
      rule: (value) => {
        const wrong = namesIn(value).find((name) => !NAME.test(name))
        return wrong === undefined ? undefined : texts('certificates.names.rule', { name: wrong })
      },
      wire: 'names',
      autoComplete: 'off',
      autoCapitalize: 'none',
      spellCheck: false,
      translate: 'no',
    },
  }
}
