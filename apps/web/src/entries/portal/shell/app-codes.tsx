import { Smartphone } from 'lucide-react'
import { useMemo } from 'react'
import { encode } from 'uqr'
import { useSite } from '../../../features/foundation/site/index.ts'
import { useTexts } from '../../../lib/texts.tsx'
import styles from './shell.module.css'

/** The phone apps as codes to scan, each with its address for those who cannot. */
export function AppCodes() {
  const texts = useTexts()
  const { androidLink, iosLink } = useSite()
  const apps = [
    { platform: texts('header.app.android'), link: androidLink },
    { platform: texts('header.app.ios'), link: iosLink },
  ].filter(({ link }) => link !== '')
  return (
    <>
      <p className={styles['note']}>{texts('header.app.text')}</p>
      <div className={styles['codes']}>
        {apps.map(({ platform, link }) => (
          <figure key={platform}>
            <Code text={link} label={texts('header.app.qr', { platform })} />
            <figcaption>
              <Smartphone size={16} aria-hidden="true" />
              <a href={link} target="_blank" rel="noopener noreferrer">
                {platform}
              </a>
            </figcaption>
          </figure>
        ))}
      </div>
    </>
  )
}

/** Dark modules on a light ground whatever the theme: many readers cannot read the inverse. */
function Code({ text, label }: { readonly text: string; readonly label: string }) {
  const { data, size } = useMemo(() => encode(text, { ecc: 'M', border: 2 }), [text])
  const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return (
    <svg className={styles['code']} viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <path d={path} />
    </svg>
  )
}
