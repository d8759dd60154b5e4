import { LIMITS } from '@godwit/contract/limits'
import type { Texts } from '../../../lib/texts.tsx'
import { useTexts } from '../../../lib/texts.tsx'
import { TextField, type TextFieldProps } from '../../../ui/text-field.tsx'

/** A code of digits that came by e-mail or from an authenticator; the browser may fill it in. */
export function CodeField(props: Omit<TextFieldProps, 'label'>) {
  const texts = useTexts()
  return (
    <TextField
      autoComplete="one-time-code"
      inputMode="numeric"
      spellCheck={false}
      placeholder={'0'.repeat(LIMITS.codeDigits)}
      required
      {...props}
      label={texts('code.label')}
    />
  )
}

export function codeFault(code: string, texts: Texts): string | undefined {
  if (code.trim() === '') return texts('code.required')
  return /^\d+$/.test(code.trim()) && code.trim().length === LIMITS.codeDigits
    ? undefined
    : texts('code.invalid', { digits: LIMITS.codeDigits })
}
