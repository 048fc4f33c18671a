// What a run found (races, accesses outside), as diagnostics in the editor, until the text changes.

import * as vscode from "vscode";
import type { Range } from "./json";
import type { RunDiagnostic } from "./run_result";

export class Findings implements vscode.Disposable {
  private readonly collection = vscode.languages.createDiagnosticCollection("phobos run");
  private readonly watching = [
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (contentChanges.length > 0) this.collection.delete(document.uri);
    }),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => { this.collection.delete(uri); }),
  ];

  /** Those of a run of that version of the text; what the server says already is not said twice. */
  show(document: vscode.TextDocument, version: number, found: RunDiagnostic[]): void {
    this.collection.delete(document.uri);
    if (document.version !== version || document.isClosed) return;
    const known = new Set(vscode.languages.getDiagnostics(document.uri).map(key_of));
    const fresh = found.map((item) => diagnostic_of(item, document.uri)).filter((item) => !known.has(key_of(item)));
    this.collection.set(document.uri, fresh);
  }

  dispose(): void {
    vscode.Disposable.from(this.collection, ...this.watching).dispose();
  }
}

/** In the protocol's order, from 1. */
const severities = [
  vscode.DiagnosticSeverity.Error,
  vscode.DiagnosticSeverity.Warning,
  vscode.DiagnosticSeverity.Information,
  vscode.DiagnosticSeverity.Hint,
];

function diagnostic_of({ range, severity, code, message, related }: RunDiagnostic, uri: vscode.Uri): vscode.Diagnostic {
  const diagnostic = new vscode.Diagnostic(range_of(range), message, severities[severity - 1] ?? vscode.DiagnosticSeverity.Error);
  diagnostic.source = "phobos run";
  diagnostic.code = code;
  diagnostic.relatedInformation = related.map(
    (each) => new vscode.DiagnosticRelatedInformation(new vscode.Location(uri, range_of(each.range)), each.message),
  );
  return diagnostic;
}

function range_of({ start, end }: Range): vscode.Range {
  return new vscode.Range(start.line, start.character, end.line, end.character);
}

function key_of({ range, message }: vscode.Diagnostic): string {
  return `${range.start.line}:${range.start.character}:${message}`;
}
