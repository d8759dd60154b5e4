import { Info, X } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { coveredBottom } from '../../../lib/covered-bottom.ts'
import { formatSize } from '../../../lib/formats.ts'
import { useStore } from '../../../lib/store.ts'
import { useTexts } from '../../../lib/texts.tsx'
import { IconButton } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { Drawer } from '../../../ui/dialog.tsx'
import { StatePanel } from '../../../ui/state-panel.tsx'
import { DetailsActivity } from './details-activity.tsx'
import { DetailsFacts } from './details-facts.tsx'
import styles from './details.module.css'
import type { Subject } from './details-subject.ts'
import type { CommandDeps } from './file-commands.ts'
import icons from './file-icons.module.css'
import { fileKind } from './file-kinds.ts'

export interface DetailsPanelProps {
  readonly subject: Subject
  readonly deps: CommandDeps
  /** Over the page instead of beside the list. */
  readonly isSheet: boolean
  readonly onVersions: () => void
  readonly onClose: () => void
}

/** Everything there is to know about an entry: facts, rights, versions, links and what happened to it. */
export function DetailsPanel({ subject, deps, isSheet, onVersions, onClose }: DetailsPanelProps) {
  const texts = useTexts()
  const id = useId()
  const covered = useStore(coveredBottom)
  const content = <Content subject={subject} deps={deps} onVersions={onVersions} />
  if (isSheet) {
    return (
      <Drawer title={texts('details.title')} closeLabel={texts('common.close')} onClose={onClose}>
        <div data-testid="details">{content}</div>
      </Drawer>
    )
  }
  return (
    <aside className={styles['panel']} aria-labelledby={id} data-testid="details">
      <header className={styles['head']}>
        <h2 id={id}>{texts('details.title')}</h2>
        <IconButton label={texts('details.close')} icon={<X size={20} aria-hidden="true" />} onClick={onClose} />
      </header>
      {/* Facts take no focus, so without one of its own a long panel could not be scrolled by key. */}
      <div className={styles['scroll']} tabIndex={0} role="region" aria-labelledby={id}>
        {content}
        <div style={{ height: covered }} />
      </div>
    </aside>
  )
}

type ContentProps = Pick<DetailsPanelProps, 'subject' | 'deps' | 'onVersions'>

function Content({ subject, deps, onVersions }: ContentProps): ReactNode {
  const texts = useTexts()
  if (subject.kind === 'many') {
    return (
      <StatePanel
        icon={<Info size={28} />}
        title={texts('files.selected', { count: subject.count })}
        text={texts('details.many', { size: formatSize(subject.bytes, texts.locale) })}
      />
    )
  }
  const { name, isFolder, path } = subject
  return (
    <>
      <p className={classNames(styles['name'], icons['icon'], icons[fileKind(name, isFolder)])}>
        <span translate="no">{name}</span>
      </p>
      <DetailsFacts key={path} subject={subject} deps={deps} onVersions={onVersions} />
      <DetailsActivity key={`${path} activity`} path={path} state={subject.state} deps={deps} />
    </>
  )
}
