import type { MarkedToken, Token, Tokens } from 'marked'
import { createElement, Fragment, type ReactNode } from 'react'
import { useTexts } from '../../../../lib/texts.tsx'
import { safeLink } from './safe-link.ts'
import styles from './text.module.css'

/** Lists and quotes within each other are drawn to this depth, deeper ones as their text. */
const MAX_DEPTH = 40

/**
 * Draws parsed Markdown as elements of ours. No HTML is made of it: what an author wrote as HTML is shown as text, pictures are
 * named and not fetched.
 */
export function MarkdownNodes({ tokens, depth = 0 }: { readonly tokens: readonly Token[]; readonly depth?: number }) {
  return tokens.map((token, at) => (
    <Fragment key={at}>{depth < MAX_DEPTH ? nodeOf(token as MarkedToken, depth + 1) : token.raw}</Fragment>
  ))
}

function nodeOf(token: MarkedToken, depth: number): ReactNode {
  switch (token.type) {
    case 'heading':
      return createElement(`h${Math.min(6, token.depth)}`, undefined, inside(token, depth))
    case 'paragraph':
      return <p>{inside(token, depth)}</p>
    case 'text':
      return token.tokens === undefined ? token.text : inside({ tokens: token.tokens }, depth)
    case 'strong':
      return <strong>{inside(token, depth)}</strong>
    case 'em':
      return <em>{inside(token, depth)}</em>
    case 'del':
      return <del>{inside(token, depth)}</del>
    case 'link':
      return <Link href={token.href}>{inside(token, depth)}</Link>
    case 'image':
      return <MissingImage text={token.text} />
    case 'blockquote':
      return <blockquote>{inside(token, depth)}</blockquote>
    case 'list':
      return <List list={token} depth={depth} />
    case 'list_item':
      return <li>{inside(token, depth)}</li>
    case 'table':
      return <Table table={token} depth={depth} />
    case 'br':
    case 'checkbox':
    case 'code':
    case 'codespan':
    case 'def':
    case 'escape':
    case 'hr':
    case 'html':
    case 'space':
      return leafOf(token)
  }
}

type Leaf = Tokens.Code | Tokens.Codespan | Tokens.Checkbox | Tokens.HTML | Tokens.Tag | Tokens.Escape

function leafOf(token: Leaf | Tokens.Br | Tokens.Def | Tokens.Hr | Tokens.Space): ReactNode {
  switch (token.type) {
    case 'code':
      return (
        <pre>
          <code>{token.text}</code>
        </pre>
      )
    case 'codespan':
      return <code>{token.text}</code>
    case 'checkbox':
      return token.checked ? '☑ ' : '☐ '
    case 'html':
      return <code>{token.raw}</code>
    case 'escape':
      return token.text
    case 'hr':
      return <hr />
    case 'br':
      return <br />
    case 'def':
    case 'space':
      return null
  }
}

function inside({ tokens }: { readonly tokens: readonly Token[] }, depth: number): ReactNode {
  return <MarkdownNodes tokens={tokens} depth={depth} />
}

function Link({ href, children }: { readonly href: string; readonly children: ReactNode }) {
  const safe = safeLink(href)
  if (safe === undefined) return <span>{children}</span>
  return (
    <a href={safe} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  )
}

/** Fetching it would tell its server who reads this, and when. */
function MissingImage({ text }: { readonly text: string }) {
  const texts = useTexts()
  return <span className={styles['missing']}>{texts('preview.markdown.image', { text })}</span>
}

function List({ list, depth }: { readonly list: Tokens.List; readonly depth: number }) {
  const items = <MarkdownNodes tokens={list.items} depth={depth} />
  return list.ordered ? <ol start={list.start === '' ? 1 : list.start}>{items}</ol> : <ul>{items}</ul>
}

function Table({ table, depth }: { readonly table: Tokens.Table; readonly depth: number }) {
  const row = (cells: readonly Tokens.TableCell[]): ReactNode => (
    <tr>
      {cells.map((cell, at) =>
        createElement(
          cell.header ? 'th' : 'td',
          { key: at, style: { textAlign: cell.align ?? 'start' } },
          inside(cell, depth),
        ),
      )}
    </tr>
  )
  return (
    <div className={styles['tableBox']}>
      <table>
        <thead>{row(table.header)}</thead>
        <tbody>
          {table.rows.map((cells, at) => (
            <Fragment key={at}>{row(cells)}</Fragment>
          ))}
        </tbody>
      </table>
    </div>
  )
}
