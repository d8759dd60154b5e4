import { Smartphone } from 'lucide-react'
import { useSite } from '../../../features/foundation/site/index.ts'
import { useTexts } from '../../../lib/texts.tsx'
import { QrCode } from '../../../ui/qr-code.tsx'
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
            <QrCode text={link} label={texts('header.app.qr', { platform })} />
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
