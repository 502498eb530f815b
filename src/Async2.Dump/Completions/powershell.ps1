# dotnet-async2 completes commands, options and values in PowerShell.
#   dotnet-async2 completion powershell | Out-String | Invoke-Expression     in $PROFILE
Register-ArgumentCompleter -Native -CommandName dotnet-async2 -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $program = $commandAst.CommandElements[0].Extent
    $behind = [Math]::Max(0, $cursorPosition - $program.EndOffset)
    $rest = $commandAst.Extent.Text.Substring($program.EndOffset - $commandAst.Extent.StartOffset)
    $text = 'dotnet-async2' + $rest.PadRight($behind).Substring(0, $behind)
    & $program.Text "[suggest:$($text.Length)]" "$text" 2>$null | ForEach-Object {
        [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
    }
}
