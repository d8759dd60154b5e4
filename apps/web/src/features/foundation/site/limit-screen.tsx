import type { EditionName } from '@godwit/contract/foundation/editions'
import { LockKeyhole, Mail, Phone } from 'lucide-react'
import { useTexts } from '../../../lib/texts.tsx'
import styles from './limit-screen.module.css'
import { useSite } from './site.tsx'

export interface LimitScreenProps {
  readonly page: string
  /** The least edition that has the page. */
  readonly edition: EditionName
}

/** What stands in place of a page that this edition does not have; the phone number is for Chinese readers only. */
export function LimitScreen({ page, edition }: LimitScreenProps) {
  const texts = useTexts()
  const { contactPhone, contactEmail } = useSite()
  const phone = texts.locale === 'zh-CN' ? contactPhone : ''
  return (
    <section className={styles['screen']} aria-labelledby="limit-title" data-testid="limit">
      <div className={styles['box']}>
        <div className={styles['icon']} aria-hidden="true">
          <LockKeyhole size={28} />
        </div>
        <h1 className={styles['title']} id="limit-title">
          {texts('limit.title')}
        </h1>
        <p className={styles['text']}>{texts('limit.text', { page, edition })}</p>
        {phone + contactEmail !== '' && (
          <>
            <p className={styles['text']}>{texts('limit.contact')}</p>
            <dl className={styles['contacts']}>
              {phone !== '' && (
                <div>
                  <dt>
                    <Phone size={18} aria-hidden="true" />
                    {texts('limit.phone')}
                  </dt>
                  <dd>
                    <a href={`tel:${phone.replaceAll(' ', '')}`}>{phone}</a>
                  </dd>
                </div>
              )}
              {contactEmail !== '' && (
                <div>
                  <dt>
                    <Mail size={18} aria-hidden="true" />
                    {texts('limit.email')}
                  </dt>
                  <dd>
                    <a href={`mailto:${contactEmail}`}>{contactEmail}</a>
                  </dd>
                </div>
              )}
            </dl>
          </>
        )}
      </div>
    </section>
  )
}
