import type { EditionName } from '@godwit/contract/foundation/editions'
import { LockKeyhole, Mail, Phone } from 'lucide-react'
import { useId } from 'react'
import { useTexts } from '../../../lib/texts.tsx'
import { Button } from '../../../ui/button.tsx'
import styles from './limit-screen.module.css'
import { useSite } from './site.tsx'

export interface LimitBoxProps {
  /** What is missing: a page, a field, a part of a page. */
  readonly page: string
  /** The least edition that has it. */
  readonly edition: EditionName
  /** Of the heading; default: a part of a page. */
  readonly level?: 1 | 2
  /** Shows what was made with it before. */
  readonly onOpen?: { readonly label: string; readonly run: () => void }
}

/** What stands in place of a page that this edition does not have. */
export function LimitScreen(props: LimitBoxProps) {
  return (
    <div className={styles['screen']}>
      <LimitBox level={1} {...props} />
    </div>
  )
}

/** Says that this edition lacks something, and whom to ask; the phone number is for Chinese readers only. */
export function LimitBox({ page, edition, level = 2, onOpen }: LimitBoxProps) {
  const texts = useTexts()
  const { contactPhone, contactEmail } = useSite()
  const phone = texts.locale === 'zh-CN' ? contactPhone : ''
  const id = useId()
  const Title = level === 1 ? 'h1' : 'h2'
  return (
    <section className={styles['box']} aria-labelledby={id} data-testid="limit">
      <div className={styles['icon']} aria-hidden="true">
        <LockKeyhole size={28} />
      </div>
      <Title className={styles['title']} id={id}>
        {texts('limit.title')}
      </Title>
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
      {onOpen !== undefined && (
        <div className={styles['open']}>
          <Button onClick={onOpen.run}>{onOpen.label}</Button>
        </div>
      )}
    </section>
  )
}
