#compdef dotnet-async2
# dotnet-async2 completes commands, options and values in zsh.
#   source <(dotnet-async2 completion zsh)                in ~/.zshrc, behind compinit, or once:
#   dotnet-async2 completion zsh > "${fpath[1]}/_dotnet-async2"
_dotnet-async2() {
  local text="dotnet-async2 ${(j: :)words[2,CURRENT-1]}"
  (( CURRENT > 2 )) && text+=" "
  text+=$PREFIX
  local -a found
  found=("${(@f)$(${words[1]} "[suggest:${#text}]" "$text" 2> /dev/null)}")
  found=(${found:#})
  # Where nothing fits, names of files: dumps and snapshots.
  compadd -a found || _files
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
  _dotnet-async2 "$@"
else
  compdef _dotnet-async2 dotnet-async2
fi
