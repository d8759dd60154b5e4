import type { FormState } from '../../../lib/use-form.ts'
import { useTexts } from '../../../lib/texts.tsx'
import { QrCode } from '../../../ui/qr-code.tsx'
import { CodeField } from '../codes/index.ts'
import styles from './factor-parts.module.css'

export interface Secret {
  readonly secret: string
  readonly uri: string
}

export interface ScanProps {
  readonly secret: Secret
  readonly form: FormState<'code'>
  readonly error?: string | undefined
}

/** The secret to scan or to type in, and the first code of the app. */
export function Scan({ secret: { secret, uri }, form, error }: ScanProps) {
  const texts = useTexts()
  const field = form.field('code')
  return (
    <div className={styles['enrol']}>
      <QrCode text={uri} label={texts('security.factor.enrol.qr')} />
      <div className={styles['side']}>
        <p>{texts('security.factor.enrol.scan')}</p>
        <p className={styles['text']}>{texts('security.factor.enrol.manual')}</p>
        <code className={styles['secret']} translate="no">
          {secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}
        </code>
        <CodeField {...field} error={error ?? field.error} hint={texts('security.factor.enrol.code')} />
      </div>
    </div>
  )
}
