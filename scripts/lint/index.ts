import { relative, resolve, sep } from 'node:path'
import { AMBIENT } from '../../layers.js'
import { importFault, isTest } from './import-policy.ts'

/** Project rules that no ready-made lint rule covers. Loaded by oxlint (`jsPlugins` in .oxlintrc.json). */

/** What the rules read of a syntax node (ESTree); a field that a node type lacks is undefined. */
interface Node {
  readonly type: string
  readonly name?: unknown
  readonly value?: unknown
  readonly raw?: string
  readonly source?: Node | null
  readonly argument?: Node | null
  readonly callee?: Node
  readonly object?: Node
  readonly property?: Node
  readonly imported?: Node
  readonly expression?: Node
  readonly arguments?: readonly Node[]
  readonly expressions?: readonly Node[]
  readonly quasis?: ReadonlyArray<{ readonly value: { readonly raw: string } }>
  readonly loc: { readonly start: { readonly line: number }; readonly end: { readonly line: number } }
  readonly parent?: Node
}

interface RuleContext {
  readonly filename: string
  readonly sourceCode: {
    readonly lines: readonly string[]
    getCommentsBefore(node: Node): readonly unknown[]
  }
  report(fault: { readonly node: Node; readonly message: string }): void
}

type Visitor = Record<string, (node: Node) => void>

const ROOT = resolve(import.meta.dirname, '../..')

function repositoryPath(context: RuleContext): string {
  return relative(ROOT, context.filename).split(sep).join('/')
}

/** Layers, doors, purity: see layers.js. */
function layers(context: RuleContext): Visitor {
  const file = repositoryPath(context)
  const judge = (source: Node | null | undefined, node: Node): void => {
    if (typeof source?.value !== 'string') return
    const message = importFault(file, source.value)
    if (message !== undefined) context.report({ node, message })
  }
  return {
    ImportDeclaration: (node) => judge(node.source, node),
    ExportNamedDeclaration: (node) => judge(node.source, node),
    ExportAllDeclaration: (node) => judge(node.source, node),
    ImportExpression: (node) => judge(node.source, node),
    TSImportType: (node) => judge(node.source ?? node.argument, node),
  }
}

const AMBIENT_MEMBERS = new Set([
  'Date.now',
  'Math.random',
  'performance.now',
  'crypto.randomUUID',
  'crypto.getRandomValues',
  'process.hrtime',
])
const AMBIENT_IMPORTS = new Set(['randomBytes', 'randomUUID', 'randomInt', 'randomFill', 'randomFillSync', 'webcrypto'])

/** Time and randomness arrive as arguments (`Clock`, `Random`), so that tests can move and repeat them. */
function noAmbient(context: RuleContext): Visitor {
  const file = repositoryPath(context)
  if (isTest(file) || AMBIENT.some((place) => file.startsWith(place))) return {}
  const refuse = (node: Node, what: string): void =>
    context.report({ node, message: `${what}: take a Clock or a Random as an argument` })
  return {
    MemberExpression(node) {
      const name = `${String(node.object?.name)}.${String(node.property?.name)}`
      if (AMBIENT_MEMBERS.has(name)) refuse(node, name)
    },
    NewExpression(node) {
      if (node.callee?.name === 'Date' && node.arguments?.length === 0) refuse(node, 'new Date()')
    },
    ImportSpecifier(node) {
      if (AMBIENT_IMPORTS.has(String(node.imported?.name))) refuse(node, String(node.imported?.name))
    },
  }
}

/** A pattern that a program puts together may come from a user and hang the process; RE2 cannot hang. */
function noDynamicRegexp(context: RuleContext): Visitor {
  const judge = (node: Node): void => {
    const pattern = node.arguments?.[0]
    if (node.callee?.name !== 'RegExp' || pattern === undefined) return
    if (isFixedPattern(pattern)) return
    context.report({ node, message: 'write the pattern as a literal; patterns from users go through RE2' })
  }
  return { NewExpression: judge, CallExpression: judge }
}

/** A literal, or a template that contains only constants of the program, whose names are capitals by convention. */
function isFixedPattern(pattern: Node): boolean {
  if (pattern.type === 'TemplateLiteral') return (pattern.expressions ?? []).every(isConstant)
  return pattern.type === 'Literal'
}

function isConstant(node: Node): boolean {
  if (node.type === 'MemberExpression') return node.object !== undefined && isConstant(node.object)
  return node.type === 'Identifier' && /^[A-Z][A-Z\d_]+$/.test(String(node.name))
}

const SPOKEN_ATTRIBUTES = new Set(['alt', 'aria-description', 'aria-label', 'label', 'placeholder', 'title'])

/** A person reads and hears only what the catalogue of texts says. */
function noLiteralText(context: RuleContext): Visitor {
  const refuse = (node: Node, text: unknown): void => {
    if (typeof text === 'string' && /\p{L}/u.test(text)) {
      context.report({ node, message: `"${text.trim()}" belongs into the catalogue of texts (packages/i18n)` })
    }
  }
  return {
    JSXText: (node) => refuse(node, node.value),
    JSXExpressionContainer(node) {
      if (node.parent?.type !== 'JSXAttribute') refuse(node, fixedText(node.expression))
    },
    JSXAttribute(node) {
      if (SPOKEN_ATTRIBUTES.has(attributeName(node))) refuse(node, fixedText(node.value))
    },
  }
}

function attributeName(node: Node): string {
  const name = node.name as { readonly name?: unknown } | undefined
  return String(name?.name)
}

function fixedText(value: unknown): unknown {
  const node = value as Node | null | undefined
  if (node?.type === 'JSXExpressionContainer') return fixedText(node.expression)
  if (node?.type === 'TemplateLiteral') return node.quasis?.map((part) => part.value.raw).join('')
  return node?.type === 'Literal' ? node.value : undefined
}

const LONG_FILE = 500
const LONG_FUNCTION = 60

/** A file or function past the usual length says in its first line why it is one piece. */
function longNeedsReason(context: RuleContext): Visitor {
  if (isTest(repositoryPath(context))) return {}
  const judge = (node: Node): void => {
    const length = node.loc.end.line - node.loc.start.line + 1
    if (length <= LONG_FUNCTION || isExplained(context, node)) return
    context.report({ node, message: `${length} lines: split it, or say above it why it is one piece` })
  }
  return {
    Program(node) {
      const { lines } = context.sourceCode
      if (lines.length > LONG_FILE && !/^\s*\/[*/]/.test(lines[0] ?? '')) {
        context.report({
          node,
          message: `${lines.length} lines: split it, or say in the first line why it is one piece`,
        })
      }
    },
    FunctionDeclaration: judge,
    FunctionExpression: judge,
    ArrowFunctionExpression: judge,
  }
}

function isExplained(context: RuleContext, node: Node): boolean {
  for (let at: Node | undefined = node; at && at.type !== 'Program'; at = at.parent) {
    if (context.sourceCode.getCommentsBefore(at).length > 0) return true
    if (at.loc.start.line < node.loc.start.line) return false
  }
  return false
}

const plugin = {
  meta: { name: 'godwit' },
  rules: {
    layers: { create: layers },
    'long-needs-reason': { create: longNeedsReason },
    'no-ambient': { create: noAmbient },
    'no-dynamic-regexp': { create: noDynamicRegexp },
    'no-literal-text': { create: noLiteralText },
  },
}

export default plugin
