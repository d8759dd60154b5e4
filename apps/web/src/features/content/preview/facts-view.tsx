import { FileQuestion } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatExactBytes, formatSize, formatTime, formatTimeExactly } from '../../../lib/formats.ts'
import { useTexts } from '../../../lib/texts.tsx'
import { StatePanel } from '../../../ui/state-panel.tsx'
import type { PreviewFile } from './view-props.ts'
import styles from './preview.module.css'

/** A file with nothing to look at: why, what is known of it, and the download. */
export function FactsView({ file, actions }: { readonly file: PreviewFile; readonly actions: ReactNode }) {
  const texts = useTexts()
  const size = { size: formatSize(file.size, texts.locale, 2), bytes: formatExactBytes(file.size, texts.locale) }
  return (
    <div className={styles['facts']}>
      <StatePanel
        icon={<FileQuestion size={32} />}
        title={texts('preview.none.title')}
        text={texts(`preview.none.${file.reason ?? 'format'}`)}
        actions={actions}
      />
      <dl>
        <dt>{texts('preview.type')}</dt>
        <dd translate="no">{file.type}</dd>
        <dt>{texts('preview.size')}</dt>
        <dd>{texts('attributes.size-value', size)}</dd>
        <dt>{texts('preview.modified')}</dt>
        <dd title={formatTimeExactly(file.time, texts.locale)}>{formatTime(file.time)}</dd>
      </dl>
    </div>
  )
}
