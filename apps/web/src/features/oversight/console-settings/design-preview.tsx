import type { ComponentType, ReactNode } from 'react'
import { type Locale, LOCALES, useTexts } from '../../../lib/texts.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { ON } from '../../../ui/form/index.ts'
import { lookOf, type Look, type Theme, THEMES } from './design-look.ts'
import styles from './design-preview.module.css'
import { SHIPPED_MARK } from './image-field.tsx'
import type { SettingTexts } from './setting-values.ts'

/** The pages of the site and its mails in small, in both languages, light and dark, as the values of the form make them. */
export function DesignPreview({ values }: { readonly values: SettingTexts }) {
  const texts = useTexts()
  return (
    <>
      <Variants title={texts('design.preview')} values={values} Drawn={SignIn} />
      <Variants title={texts('design.preview.portal')} values={values} Drawn={Portal} />
      <Variants title={texts('design.preview.public')} values={values} Drawn={PublicPage} />
      {values['mailHeaderSwitch'] === ON && (
        <Variants title={texts('design.preview.mails')} values={values} Drawn={Mail} />
      )}
    </>
  )
}

interface Drawing {
  readonly look: Look
}

interface VariantsProps {
  readonly title: string
  readonly values: SettingTexts
  readonly Drawn: ComponentType<Drawing>
}

function Variants({ title, values, Drawn }: VariantsProps) {
  return (
    <section className={styles['preview']} aria-label={title}>
      <h2>{title}</h2>
      <div className={styles['pages']}>
        {LOCALES.flatMap((locale) =>
          THEMES.map((theme) => (
            <Sheet key={`${locale}-${theme}`} locale={locale} theme={theme}>
              <Drawn look={lookOf(values, locale, theme)} />
            </Sheet>
          )),
        )}
      </div>
    </section>
  )
}

interface SheetProps {
  readonly locale: Locale
  readonly theme: Theme
  readonly children: ReactNode
}

function Sheet({ locale, theme, children }: SheetProps) {
  return (
    <div className={classNames(styles['sheet'], styles[theme])} lang={locale} translate="no">
      {children}
    </div>
  )
}

function SignIn({ look }: Drawing) {
  const { ground, column, row, card } = look
  return (
    <div className={styles['page']} style={{ background: ground, justifyContent: column, alignItems: row }}>
      <div className={styles['card']} style={{ background: card }}>
        <Brand look={look} />
        <span className={styles['field']} />
        <span className={styles['field']} />
        <span className={styles['button']} style={{ background: look.solid }} />
        <p className={styles['company']}>{look.company}</p>
      </div>
    </div>
  )
}

function Portal({ look }: Drawing) {
  return (
    <>
      <Head look={look} />
      <div className={styles['portal']}>
        <div className={styles['menu']}>
          <span className={styles['entry']} style={{ background: look.selected }} />
          <span className={styles['line']} />
          <span className={styles['line']} />
        </div>
        <div className={styles['files']}>
          <span className={styles['button']} style={{ background: look.solid }} />
          <span className={styles['line']} />
          <span className={styles['line']} />
          <span className={styles['line']} />
        </div>
      </div>
    </>
  )
}

function PublicPage({ look }: Drawing) {
  return (
    <>
      <Head look={look} />
      <div className={styles['shared']}>
        <span className={styles['line']} />
        <span className={styles['line']} />
        <span className={styles['button']} style={{ background: look.solid }} />
      </div>
      <p className={styles['company']}>{look.company}</p>
    </>
  )
}

function Mail({ look }: Drawing) {
  return (
    <div className={styles['mail']}>
      <div className={styles['bar']} style={{ background: look.brand }} />
      <p className={styles['brand']}>
        {look.logo !== '' && <img src={look.logo} alt="" />}
        <span className={styles['name']}>{look.mailName}</span>
      </p>
      <span className={styles['line']} />
      <span className={styles['line']} />
    </div>
  )
}

function Head({ look }: Drawing) {
  return (
    <div className={styles['head']}>
      <Brand look={look} />
    </div>
  )
}

function Brand({ look }: Drawing) {
  return (
    <p className={styles['brand']}>
      <img src={look.logo === '' ? SHIPPED_MARK : look.logo} alt="" />
      <span className={styles['name']}>{look.name}</span>
    </p>
  )
}
