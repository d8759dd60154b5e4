import { Link } from '@tanstack/react-router'
import { Copy, Ellipsis } from 'lucide-react'
import { type DragEvent, type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { ancestors, nameOf } from '../../../lib/paths.ts'
import { useTexts } from '../../../lib/texts.tsx'
import { IconButton } from '../../../ui/button.tsx'
import { MenuButton, MenuEntries } from '../../../ui/menu.tsx'
import styles from './breadcrumb.module.css'
import { shownParts } from './shown-parts.ts'
import { isRowDrag } from './use-row-drag.ts'

export interface BreadcrumbProps {
  /** What the root is called. */
  readonly rootName: string
  /** The page above the root. */
  readonly above?: { readonly label: string; readonly address: string } | undefined
  readonly folder: string
  readonly onOpen: (folder: string) => void
  readonly hrefOf: (folder: string) => string
  readonly onDropRows?: ((target: string) => void) | undefined
  readonly onCopyPath?: () => void
}

export function partLabel(folder: string, rootName: string): string {
  return folder === '/' ? rootName : nameOf(folder)
}

/** Where one is: every part a link and a drop target, the middle folded when it grows long. */
export function Breadcrumb(props: BreadcrumbProps) {
  const texts = useTexts()
  const ref = useRef<HTMLElement>(null)
  const width = useWidth(ref)
  const [first, ...inner] = ancestors(props.folder)
  const { above, rootName } = props
  // The page above the root takes its part of the line, too.
  const head = above === undefined ? rootName : `${above.label}    ${partLabel(first ?? '/', rootName)}`
  const shown = shownParts([head, ...inner.map((path) => partLabel(path, rootName))], width)
  const tail = inner.slice(inner.length - shown)
  const hidden = inner.slice(0, inner.length - shown)
  return (
    <nav ref={ref} className={styles['trail']} aria-label={texts('files.path')}>
      <ol>
        {above !== undefined && (
          <li className={styles['part']}>
            <Link className={styles['above']} to={above.address}>
              {above.label}
            </Link>
          </li>
        )}
        <Part {...props} path="/" />
        {hidden.length > 0 && (
          <li className={styles['part']}>
            <MenuButton
              trigger={
                <IconButton label={texts('files.hidden-parts')} icon={<Ellipsis size={18} aria-hidden="true" />} />
              }
            >
              <MenuEntries
                entries={hidden.map((path) => ({ id: path, label: nameOf(path), run: () => props.onOpen(path) }))}
              />
            </MenuButton>
          </li>
        )}
        {tail.map((path) => (
          <Part key={path} {...props} path={path} />
        ))}
      </ol>
      {props.onCopyPath !== undefined && (
        <IconButton
          label={texts('files.copy-path')}
          icon={<Copy size={16} aria-hidden="true" />}
          onClick={props.onCopyPath}
        />
      )}
    </nav>
  )
}

function useWidth(ref: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const element = ref.current
    if (element === null) return
    const measure = (): void => setWidth(element.clientWidth)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [ref])
  return width
}

function Part({ path, folder, rootName, onOpen, hrefOf, onDropRows }: BreadcrumbProps & { readonly path: string }) {
  const [isOver, setOver] = useState(false)
  const isHere = path === folder
  const takes = (event: DragEvent): boolean => !isHere && onDropRows !== undefined && isRowDrag(event)
  return (
    <li className={styles['part']}>
      <a
        className={styles['link']}
        href={hrefOf(path)}
        aria-current={isHere ? 'page' : undefined}
        title={partLabel(path, rootName)}
        translate={path === '/' ? undefined : 'no'}
        data-drop={isOver || undefined}
        onClick={(event) => {
          if (event.ctrlKey || event.metaKey || event.shiftKey) return
          event.preventDefault()
          onOpen(path)
        }}
        onDragOver={(event) => {
          if (!takes(event)) return
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          setOver(false)
          if (!takes(event)) return
          event.preventDefault()
          onDropRows?.(path)
        }}
      >
        {partLabel(path, rootName)}
      </a>
    </li>
  )
}
