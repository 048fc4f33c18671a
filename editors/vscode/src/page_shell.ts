// What the pages of all views have in common: a policy that lets nothing in but the extension's own style and script, under a nonce,
// and the look of plain elements in the editor's colours.

import { ramp_rules } from "./ramp";
import { escape } from "./result_text";

export interface Shell {
  nonce: string;
  title: string;
  style: string;
  /** Empty: it has none. */
  script: string;
}

export function shell({ nonce, title, style, script }: Shell, main: string): string {
  const policy = `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)}</title>
<style nonce="${nonce}">${common_style}${style}</style>
</head>
<body>
<main>${main}</main>
${script === "" ? "" : `<script nonce="${nonce}" src="${escape(script)}"></script>`}
</body>
</html>`;
}

const common_style = `
body { padding: 0 1.25rem 1.5rem; color: var(--vscode-foreground); background: var(--vscode-editor-background);
  font-family: var(--vscode-font-family); font-size: var(--vscode-font-size); line-height: 1.45; }
h1 { font-size: 1.45em; font-weight: 600; margin: 1rem 0 0.75rem; overflow-wrap: anywhere; }
h2 { font-size: 1.05em; font-weight: 600; margin: 1.25rem 0 0.5rem; }
a { color: var(--vscode-textLink-foreground); }
code { font-family: var(--vscode-editor-font-family); font-size: var(--vscode-editor-font-size); color: inherit; background: none; padding: 0; }
.quiet { color: var(--vscode-descriptionForeground); font-weight: 400; }
.scroll { overflow: auto; }
:focus-visible { outline: 2px solid var(--vscode-focusBorder); outline-offset: 1px; }
table { border-collapse: collapse; }
th, td { text-align: left; padding: 0.3rem 0.9rem 0.3rem 0; font-weight: 400; white-space: nowrap; vertical-align: baseline;
  border-top: 1px solid var(--vscode-widget-border, var(--vscode-panel-border)); }
thead th, thead td { border-top: none; }
thead th { color: var(--vscode-descriptionForeground); font-size: 0.9em; }
caption { text-align: left; white-space: nowrap; color: var(--vscode-descriptionForeground); font-size: 0.9em; }
button { padding: 0.15rem 0.6rem; color: var(--vscode-button-secondaryForeground); background: var(--vscode-button-secondaryBackground);
  border: 1px solid var(--vscode-contrastBorder, transparent); border-radius: 2px; font: inherit; cursor: pointer; }
button:hover { background: var(--vscode-button-secondaryHoverBackground); }
button[aria-pressed=true], button[aria-current] { color: var(--vscode-button-foreground); background: var(--vscode-button-background);
  outline: 2px solid var(--vscode-contrastActiveBorder, transparent); outline-offset: -2px; }
button:focus-visible { outline: 2px solid var(--vscode-focusBorder); outline-offset: 1px; }
a.button { display: inline-block; margin-top: 0.5rem; padding: 0.3rem 0.9rem; border-radius: 2px; text-decoration: none;
  border: 1px solid var(--vscode-contrastBorder, transparent);
  color: var(--vscode-button-foreground); background: var(--vscode-button-background); }
a.button:hover { background: var(--vscode-button-hoverBackground); }
a.button.secondary { color: var(--vscode-button-secondaryForeground); background: var(--vscode-button-secondaryBackground); }
a.button.secondary:hover { background: var(--vscode-button-secondaryHoverBackground); }
.badge { display: inline-block; padding: 0 0.45em; border-radius: 0.7em; font-size: 0.85em; border: 1px solid currentColor; }
.badge.varying, .differs-in-lanes { color: var(--vscode-phobos-varyingControl\\.border, var(--vscode-phobos-varyingControl-border)); }
.badge.warp-uniform { color: var(--vscode-phobos-warpUniformControl\\.border, var(--vscode-phobos-warpUniformControl-border)); }
.badge.uniform { color: var(--vscode-descriptionForeground); }
.alert { margin: 0.75rem 0; padding: 0.5rem 0.8rem; white-space: pre-wrap; overflow-wrap: anywhere;
  background: var(--vscode-textCodeBlock-background); border-left: 3px solid var(--vscode-editorError-foreground); }
.stale { margin: 0.5rem 0; padding: 0.4rem 0.8rem; border-left: 3px solid var(--vscode-editorWarning-foreground);
  background: var(--vscode-textCodeBlock-background); }
@media (max-width: 420px) { body { padding: 0 0.6rem 1rem; } th, td { padding-right: 0.45rem; } }
${ramp_rules()}
`;
