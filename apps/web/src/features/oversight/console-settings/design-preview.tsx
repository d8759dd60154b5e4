import { DEFAULT_BACKGROUND_COLOUR } from '@godwit/contract/limits'
import { type Locale, LOCALES, useTexts } from '../../../lib/texts.tsx'
import { brandTwins } from '../../../lib/colours.ts'
import { ON } from '../../../ui/form/index.ts'
import { classNames } from '../../../ui/class-names.ts'
import styles from './design-preview.module.css'
import type { SettingTexts } from './setting-values.ts'

const THEMES = ['light', 'dark'] as const

/** The sign-in page and the head of mails in small, in both languages, light and dark, as the values of the form make them. */
export function DesignPreview({ values }: { readonly values: SettingTexts }) {
  const texts = useTexts()
  return (
    <>
      <section className={styles['preview']} aria-label={texts('design.preview')}>
        <h2>{texts('design.preview')}</h2>
        <div className={styles['pages']}>
          {LOCALES.flatMap((locale) =>
            THEMES.map((theme) => <Page key={`${locale}-${theme}`} values={values} locale={locale} theme={theme} />),
          )}
        </div>
      </section>
      <MailHeads values={values} />
    </>
  )
}

/** How mails begin, in both languages, light and dark. */
function MailHeads({ values }: { readonly values: SettingTexts }) {
  const texts = useTexts()
  if (values['mailHeaderSwitch'] !== ON) return null
  return (
    <section className={styles['preview']} aria-label={texts('design.preview.mails')}>
      <h2>{texts('design.preview.mails')}</h2>
      <div className={styles['pages']}>
        {LOCALES.flatMap((locale) =>
          THEMES.map((theme) => <MailHead key={`${locale}-${theme}`} values={values} locale={locale} theme={theme} />),
        )}
      </div>
    </section>
  )
}

function MailHead({ values, locale, theme }: PageProps) {
  const { brand } = brandTwins(values['primaryColor'] ?? '')
  const [own, product] = locale === 'zh-CN' ? ['mailHeaderZH', 'productNameZH'] : ['mailHeaderEN', 'productNameEN']
  return (
    <div className={classNames(styles['mail'], styles[theme])} lang={locale} translate="no">
      <div className={styles['bar']} style={{ background: brand }} />
      <p className={styles['name']}>{values[own]?.trim() || values[product]}</p>
      <span className={styles['line']} />
      <span className={styles['line']} />
    </div>
  )
}

interface PageProps {
  readonly values: SettingTexts
  readonly locale: Locale
  readonly theme: (typeof THEMES)[number]
}

function Page({ values, locale, theme }: PageProps) {
  const isChinese = locale === 'zh-CN'
  const twins = brandTwins(values['primaryColor'] ?? '')
  // Rows first, as the grid of positions counts.
  const place = Number(values['position'] ?? 6) - 1
  return (
    <div
      className={classNames(styles['page'], styles[theme])}
      lang={locale}
      translate="no"
      style={{
        background: groundOf(values['backgroundColor'] ?? '', theme),
        justifyContent: ['start', 'center', 'end'][place % 3],
        alignItems: ['start', 'center', 'end'][Math.floor(place / 3)],
      }}
    >
      <div className={styles['card']}>
        <p className={styles['name']}>{isChinese ? values['productNameZH'] : values['productNameEN']}</p>
        <span className={styles['field']} />
        <span className={styles['field']} />
        <span className={styles['button']} style={{ background: theme === 'light' ? twins.solid : twins.brandDark }} />
        <p className={styles['company']}>{isChinese ? values['companyZH'] : values['companyEN']}</p>
      </div>
    </div>
  )
}

/** As the sign-in page has it: the default is the canvas of the theme, and the dark theme takes a tint of an own color. */
function groundOf(color: string, theme: PageProps['theme']): string {
  const isOwn = /^#[\da-f]{6}$/i.test(color) && color.toUpperCase() !== DEFAULT_BACKGROUND_COLOUR
  if (theme === 'light') return isOwn ? color : DEFAULT_BACKGROUND_COLOUR
  return isOwn ? `color-mix(in oklab, ${color} 16%, #141414)` : '#141414'
}
